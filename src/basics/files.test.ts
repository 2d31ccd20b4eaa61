import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UserError } from '../errors.ts'
import { makeFolder, makeNamedFolder, removeEmptyFolders } from './files.ts'

const place = mkdtempSync(join(tmpdir(), 'gembench-folder-'))

test('makes a folder and those above it, and takes one that is there', () => {
  const folder = join(place, 'a', 'b', 'c')
  expect(makeFolder(folder)).toEqual([folder, join(place, 'a', 'b'), join(place, 'a')])
  expect(makeFolder(folder)).toEqual([])
  expect(existsSync(folder)).toBe(true)
})

test('removes those that it made, and none that holds something', () => {
  const made = makeFolder(join(place, 'x', 'y', 'z'))
  writeFileSync(join(place, 'x', 'mine'), '')
  removeEmptyFolders(made)
  removeEmptyFolders(made)
  expect(readdirSync(join(place, 'x'))).toEqual(['mine'])
})

test('where it ends half-way, nothing is left', () => {
  expect(() => makeFolder(join(place, 'half', 'n'.repeat(500)))).toThrow('ENAMETOOLONG')
  expect(existsSync(join(place, 'half'))).toBe(false)
})

test('says of a folder that a person named what is in the way, and what to do', () => {
  const file = join(place, 'in-the-way')
  writeFileSync(file, '')
  for (const folder of [file, join(file, 'x', 'y')])
    expect(() => makeNamedFolder(folder, 'name another')).toThrow(
      new UserError(`${file}: is not a folder; name another`),
    )
  const long = join(place, 'n'.repeat(500))
  expect(() => makeNamedFolder(long, 'name another')).toThrow(/: cannot be made \(ENAMETOOLONG.*\); name another$/)
})

test('ends where a file is in the way', () => {
  writeFileSync(join(place, 'file'), '')
  expect(() => makeFolder(join(place, 'file', 'x', 'y'))).toThrow(/ENOTDIR|EEXIST/)
})

test.runIf(existsSync('/proc/self'))('ends where a folder takes none', () => {
  expect(() => makeFolder('/proc/gembench/x')).toThrow('ENOENT')
})
