import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Keepable, Packed } from '../../types.ts'
import { openArrayStore } from './array-store.ts'

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'gembench-kept-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const contents: Packed = {
  texts: ['mill', 'Mühle', '\n', '\ud800'],
  arrays: [Uint32Array.of(1, 2 ** 32 - 1), Uint16Array.of(7, 8, 65_535), new Uint8Array(0), Uint8Array.of(255)],
}
/** Keeps `packed`, and counts how often it was made. */
function countMakes() {
  let makeCount = 0
  const form: Keepable<Packed> = {
    make: () => (makeCount++, contents),
    pack: (value) => value,
    unpack: (value) => value,
  }
  return { form, makeCount: () => makeCount }
}
const open = () => {
  const warnings: string[] = []
  const store = openArrayStore(join(folder, 'indexes'), (line) => void warnings.push(line))
  if (!store) throw new Error('this computer is big-endian')
  return { store, warnings }
}
const file = () => join(folder, 'indexes', 'name')

test('reads stored arrays in place of making them again', () => {
  const { form, makeCount } = countMakes()
  expect(open().store('name', form)).toBe(contents)
  expect(open().store('name', form)).toEqual(contents)
  expect(makeCount()).toBe(1)
  open().store('other', form)
  expect(makeCount()).toBe(2)
  expect(readdirSync(join(folder, 'indexes')).sort()).toEqual(['name', 'other'])
})

test('rebuilds a file with any changed byte or truncation, with a warning', () => {
  const { form } = countMakes()
  open().store('name', form)
  const original = readFileSync(file())
  const damages = [
    ...Array.from(original, (byte, at) => Buffer.from(original).fill(byte ^ 1, at, at + 1)),
    ...Array.from(original, (_, at) => original.subarray(0, at)),
    Buffer.concat([original, Buffer.of(0)]),
  ]
  for (const bytes of damages) {
    writeFileSync(file(), bytes)
    const { store, warnings } = open()
    expect(store('name', form)).toBe(contents)
    expect(warnings).toEqual([`${file()}: is damaged or of another version; it is built again`])
    expect(readFileSync(file()).equals(original)).toBe(true)
  }
})

const refuse = (): never => {
  throw new TypeError('texts.map is not a function')
}
test.each([() => undefined, refuse])('rebuilds arrays that cannot be unpacked: %s', (unpack) => {
  const { form, makeCount } = countMakes()
  open().store('name', form)
  const { store, warnings } = open()
  expect(store('name', { ...form, unpack })).toBe(contents)
  expect([makeCount(), warnings.length]).toEqual([2, 1])
})

test('does not follow a link', () => {
  const { form } = countMakes()
  open().store('other', form)
  const outside = join(folder, 'outside')
  writeFileSync(outside, 'mine')
  symlinkSync(outside, file())
  const { store, warnings } = open()
  expect(store('name', form)).toBe(contents)
  expect(warnings).toHaveLength(1)
  expect(readFileSync(outside, 'utf8')).toBe('mine')
})

test('warns once in a read-only folder and still returns the value', () => {
  const { form } = countMakes()
  writeFileSync(join(folder, 'indexes'), 'a file')
  const { store, warnings } = open()
  expect([store('name', form), store('other', form)]).toEqual([contents, contents])
  expect(warnings.filter((line) => line.includes('cannot be written'))).toHaveLength(1)
})
