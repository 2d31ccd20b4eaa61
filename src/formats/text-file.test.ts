import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fileOf, folderOf } from '../test-support/dataset-copies/write-files.ts'
import { wholeText } from './text-file.ts'

const file = (bytes: Uint8Array): string => fileOf(bytes, 'a.txt')

const utf16 = Buffer.from('\uFEFFÄpfel 🍎', 'utf16le')

test.each([
  ['UTF-8', Buffer.from('Äpfel 🍎')],
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFÄpfel 🍎')],
  ['UTF-16, little end first', utf16],
  ['UTF-16, big end first', Buffer.from(utf16).swap16()],
  ['gzip', gzipSync('Äpfel 🍎')],
])('detects %s by its bytes', async (_name, bytes) => expect(await wholeText(file(bytes))).toBe('Äpfel 🍎'))

test('rejects Latin-1 with a remedy, and reads it with that', async () => {
  const path = file(Buffer.from('Äpfel', 'latin1'))
  await expect(wholeText(path)).rejects.toThrow(
    `${path}: cannot be read as text: it is not UTF-8; convert it, or name its encoding with the option "encoding", such as windows-1252`,
  )
  expect(await wholeText(path, 'windows-1252')).toBe('Äpfel')
  expect(await wholeText(file(Uint8Array.of(0x93, 0x41, 0x94, 0x80)), 'windows-1252')).toBe('“A”€')
  expect(await wholeText(file(Buffer.from('Äpfel')), 'windows-1252')).toBe('Äpfel')
})

test('rejects NUL characters: UTF-16 without a byte order mark must be declared', async () => {
  const path = file(Buffer.from('Apples', 'utf16le'))
  await expect(wholeText(path)).rejects.toThrow('it holds NUL characters; is it a binary file, or UTF-16')
  expect(await wholeText(path, 'utf-16le')).toBe('Apples')
})

test('reports a missing file in one line', async () => {
  await expect(wholeText(join(folderOf({}), 'none.txt'))).rejects.toThrow(
    /^[^\n]*none\.txt: cannot be read as text: ENOENT[^\n]*$/,
  )
})
