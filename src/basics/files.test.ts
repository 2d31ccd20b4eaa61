import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UserError } from '../errors.ts'
import { makeFolder, makeNamedFolder, removeEmptyFolders } from './files.ts'

const place = mkdtempSync(join(tmpdir(), 'gembench-folder-'))

test('creates a folder and its parents, and accepts an existing one', () => {
  const folder = join(place, 'a', 'b', 'c')
  expect(makeFolder(folder)).toEqual([folder, join(place, 'a', 'b'), join(place, 'a')])
  expect(makeFolder(folder)).toEqual([])
  expect(existsSync(folder)).toBe(true)
})

test('removes the folders that it created, unless they are not empty', () => {
  const made = makeFolder(join(place, 'x', 'y', 'z'))
  writeFileSync(join(place, 'x', 'mine'), '')
  removeEmptyFolders(made)
  removeEmptyFolders(made)
  expect(readdirSync(join(place, 'x'))).toEqual(['mine'])
})

test('removes what it created when it fails', () => {
  expect(() => makeFolder(join(place, 'half', 'n'.repeat(500)))).toThrow('ENAMETOOLONG')
  expect(existsSync(join(place, 'half'))).toBe(false)
})

test('reports what blocks a folder named by the user, and what to do', () => {
  const file = join(place, 'in-the-way')
  writeFileSync(file, '')
  for (const folder of [file, join(file, 'x', 'y')])
    expect(() => makeNamedFolder(folder, 'name another')).toThrow(
      new UserError(`${file}: is not a folder; name another`),
    )
  const long = join(place, 'n'.repeat(500))
  expect(() => makeNamedFolder(long, 'name another')).toThrow(/: cannot be made \(ENAMETOOLONG.*\); name another$/)
})

test.runIf(existsSync('/proc/self'))('reports an error where the system allows no folder', () => {
  expect(() => makeFolder('/proc/gembench/x')).toThrow('ENOENT')
})
