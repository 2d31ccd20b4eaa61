import { expect, test } from 'vitest'
import { canonicalJson, md5, sha256 } from './hash.ts'

test('known digests', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(sha256(Uint8Array.of(0x61, 0x62, 0x63))).toBe(sha256('abc'))
  expect(md5('abc')).toBe('900150983cd24fb0d6963f7d28e17f72')
  // as UTF-8
  expect(sha256('é')).toBe(sha256(Uint8Array.of(0xc3, 0xa9)))
})

test('canonical JSON sorts keys at every depth and keeps lists', () => {
  expect(canonicalJson({ b: [{ z: 1, a: null }, 3], a: 'x' })).toBe('{"a":"x","b":[{"a":null,"z":1},3]}')
  expect(canonicalJson({ é: 1, z: 2, Z: 3 })).toBe('{"Z":3,"z":2,"é":1}')
  expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
})
