import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { openJournal, readJournal, replaceFile } from './journal.ts'
import { orderScores } from './write-trials.ts'
import { readManifest } from './results.ts'

let folder = ''
let file = ''
beforeEach(() => {
  folder = folderOf({})
  file = join(folder, 'a.jsonl')
})

const all = async (file: string): Promise<unknown[]> => {
  const found: unknown[] = []
  for await (const { value } of readJournal(file)) found.push(value)
  return found
}

describe('journal', () => {
  test.each([
    ['{"n":1}\n{"n":2', '{"n":1}\n'],
    ['{"n"', ''],
    ['', ''],
    ['{"n":1}\n', '{"n":1}\n'],
  ])('a torn last line is cut off: %j', async (before, after) => {
    await writeFile(file, before)
    const journal = await openJournal<{ n: number }>(file)
    journal.append({ n: 9 })
    journal.close()
    expect(await readFile(file, 'utf8')).toBe(`${after}{"n":9}\n`)
  })

  test('a line damaged in the middle is an error with its number, never skipped', async () => {
    await writeFile(file, '{"n":1}\n{"n":\n{"n":3}\n')
    await expect(all(file)).rejects.toThrow('a.jsonl:2: is not a line of JSON')
  })

  test('a torn last line is not read', async () => {
    await writeFile(file, '{"n":1}\n{"n":')
    expect(await all(file)).toEqual([{ n: 1 }])
    await writeFile(file, '{"n":1}\n{"n":\n')
    await expect(all(file)).rejects.toThrow('a.jsonl:2')
  })
})

describe('anything but a regular file is neither read nor written', () => {
  const open = async (file: string): Promise<void> => (await openJournal(file)).close()

  test.each<[string, (file: string) => unknown, string]>([
    ['a pipe', (file) => execFileSync('mkfifo', [file]), 'is a pipe or a device'],
    ['a link to a device', (file) => symlink('/dev/zero', file), 'is a link'],
    ['a folder', (file) => mkdir(file), 'is a folder'],
  ])('reports %s', async (_what, make, said) => {
    await make(file)
    await expect(all(file)).rejects.toThrow(`${file}: ${said}`)
    await expect(open(file)).rejects.toThrow(`${file}: ${said}`)
  })

  test('a dangling link creates nothing at its target', async () => {
    const inside = join(folder, 'inside')
    const outside = join(folder, 'outside')
    await mkdir(inside)
    const file = join(inside, 'a.jsonl')
    await symlink(outside, file)
    await expect(open(file)).rejects.toThrow(`${file}: is a link`)
    await rm(file)

    // where a file is replaced
    await writeFile(file, '{"n":2}\n{"n":1}\n')
    for (const replace of [
      () => replaceFile(join(inside, 'a.json'), '{}'),
      // lines without a trial are one score
      () => orderScores(file, new Map(), []),
    ]) {
      for (const part of ['a.json.part', 'a.jsonl.part']) await symlink(outside, join(inside, part)).catch(() => 0)
      await replace()
    }
    expect(await readdir(folder)).toEqual(['inside'])
  })
})

test('a line without an end is an error that names the line', async () => {
  await writeFile(file, '{"n":1}\n')
  await truncate(file, 2 ** 34)
  await expect(all(file)).rejects.toThrow(/a\.jsonl:2: a line has more than \d+ bytes/)
  await expect(openJournal(file)).rejects.toThrow(/a\.jsonl: its last line has more than \d+ bytes/)
})

test('a full disk is reported with the name of the file', async () => {
  const journal = await openJournal(file)
  const noRoom = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  })
  const write = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw noRoom
  })
  syncBuiltinESMExports()
  try {
    expect(() => journal.append({ n: 1 })).toThrow(/a\.jsonl: cannot be written \(ENOSPC.*make room/)
  } finally {
    write.mockRestore()
    syncBuiltinESMExports()
    journal.close()
  }
})

describe('results folder', () => {
  test('a missing manifest is undefined, a damaged one an error', async () => {
    expect(await readManifest(folder)).toBeUndefined()
    await replaceFile(join(folder, 'manifest.json'), '{')
    await expect(readManifest(folder)).rejects.toThrow('not a manifest')
  })

  test('another results format is refused in one line that says what to do', async () => {
    for (const [manifest, format] of [
      ['{"gembench":"0.1.0"}', 1],
      ['{"gembench":"0.1.0","format":2}', 2],
    ] as const) {
      await replaceFile(join(folder, 'manifest.json'), manifest)
      await expect(readManifest(folder)).rejects.toThrow(
        new RegExp(
          `manifest.json: results format ${format}, .*this version reads format 3: remove or rename the folder`,
        ),
      )
    }
  })
})
