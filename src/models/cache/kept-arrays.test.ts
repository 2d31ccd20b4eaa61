import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Keepable, Packed } from '../../types.ts'
import { keptArrays } from './kept-arrays.ts'

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'gembench-kept-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const packed: Packed = {
  texts: ['mill', 'Mühle', '\n', '\ud800'],
  arrays: [Uint32Array.of(1, 2 ** 32 - 1), Uint16Array.of(7, 8, 65_535), new Uint8Array(0), Uint8Array.of(255)],
}
/** Keeps `packed`, and counts how often it was made. */
function counted() {
  let made = 0
  const form: Keepable<Packed> = { make: () => (made++, packed), pack: (one) => one, unpack: (one) => one }
  return { form, made: () => made }
}
const open = () => {
  const warned: string[] = []
  const kept = keptArrays(join(folder, 'indexes'), (line) => void warned.push(line))
  if (!kept) throw new Error('this computer is big-endian')
  return { kept, warned }
}
const file = () => join(folder, 'indexes', 'name')

test('what was made is read again as it was, and not made; another name is another thing', () => {
  const { form, made } = counted()
  expect(open().kept('name', form)).toBe(packed)
  expect(open().kept('name', form)).toEqual(packed)
  expect(made()).toBe(1)
  open().kept('other', form)
  expect(made()).toBe(2)
  expect(readdirSync(join(folder, 'indexes')).sort()).toEqual(['name', 'other'])
})

test('whichever byte is changed, and wherever it is cut, it is made again, said and whole afterwards', () => {
  const { form } = counted()
  open().kept('name', form)
  const whole = readFileSync(file())
  const damaged = [
    ...Array.from(whole, (byte, at) => Buffer.from(whole).fill(byte ^ 1, at, at + 1)),
    ...Array.from(whole, (_, at) => whole.subarray(0, at)),
    Buffer.concat([whole, Buffer.of(0)]),
  ]
  for (const bytes of damaged) {
    writeFileSync(file(), bytes)
    const { kept, warned } = open()
    expect(kept('name', form)).toBe(packed)
    expect(warned).toEqual([`${file()}: is damaged or was not made by this version; it is made again`])
    expect(readFileSync(file()).equals(whole)).toBe(true)
  }
})

const refuse = (): never => {
  throw new TypeError('texts.map is not a function')
}
test.each([() => undefined, refuse])('what does not fit what it is read for is made again: %s', (unpack) => {
  const { form, made } = counted()
  open().kept('name', form)
  const { kept, warned } = open()
  expect(kept('name', { ...form, unpack })).toBe(packed)
  expect([made(), warned.length]).toEqual([2, 1])
})

test('a link is not followed', () => {
  const { form } = counted()
  open().kept('other', form)
  const outside = join(folder, 'outside')
  writeFileSync(outside, 'mine')
  symlinkSync(outside, file())
  const { kept, warned } = open()
  expect(kept('name', form)).toBe(packed)
  expect(warned).toHaveLength(1)
  expect(readFileSync(outside, 'utf8')).toBe('mine')
})

test('where nothing can be written, it is said once and the thing is given all the same', () => {
  const { form } = counted()
  writeFileSync(join(folder, 'indexes'), 'a file')
  const { kept, warned } = open()
  expect([kept('name', form), kept('other', form)]).toEqual([packed, packed])
  expect(warned.filter((line) => line.includes('cannot be written'))).toHaveLength(1)
})

test('what a process left unfinished is never read, and removed when it is old', () => {
  const { form } = counted()
  open().kept('name', form)
  for (const name of ['old', 'young']) writeFileSync(`${file()}.${name}.tmp`, readFileSync(file()).subarray(0, 60))
  utimesSync(`${file()}.old.tmp`, 1e9, 1e9)
  open().kept('other', form)
  expect(readdirSync(join(folder, 'indexes')).sort()).toEqual(['name', 'name.young.tmp', 'other'])
})
