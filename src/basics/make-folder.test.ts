import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

const place = mkdtempSync(join(tmpdir(), 'gembench-folder-'))

test('makes a folder and those above it, and takes one that is there', () => {
  const folder = join(place, 'a', 'b', 'c')
  makeFolder(folder)
  makeFolder(folder)
  expect(existsSync(folder)).toBe(true)
})

test('ends where a file is in the way', () => {
  writeFileSync(join(place, 'file'), '')
  expect(() => makeFolder(join(place, 'file', 'x', 'y'))).toThrow(/ENOTDIR|EEXIST/)
})

test.runIf(existsSync('/proc/self'))('ends where a folder takes none', () => {
  expect(() => makeFolder('/proc/gembench/x')).toThrow('ENOENT')
})
