import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lockFolder, openJournal, readJournal, readManifest, replaceFile } from './store.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gembench-store-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const all = async (file: string): Promise<unknown[]> => {
  const found: unknown[] = []
  for await (const line of readJournal(file)) found.push(line)
  return found
}

describe('journal', () => {
  test('keeps the order of many unawaited appends', async () => {
    const file = join(folder, 'a.jsonl')
    const journal = await openJournal<{ n: number }>(file)
    await Promise.all(Array.from({ length: 500 }, (_, n) => journal.append({ n })))
    await journal.close()
    expect(await all(file)).toEqual(Array.from({ length: 500 }, (_, n) => ({ n })))
  })

  test.each([
    ['{"n":1}\n{"n":2', '{"n":1}\n'],
    ['{"n"', ''],
    ['', ''],
    ['{"n":1}\n', '{"n":1}\n'],
  ])('a torn last line is cut off: %j', async (before, after) => {
    const file = join(folder, 'a.jsonl')
    await writeFile(file, before)
    const journal = await openJournal<{ n: number }>(file)
    await journal.append({ n: 9 })
    await journal.close()
    expect(await readFile(file, 'utf8')).toBe(`${after}{"n":9}\n`)
  })

  test('a line damaged in the middle is an error with its number, never skipped', async () => {
    const file = join(folder, 'a.jsonl')
    await writeFile(file, '{"n":1}\n{"n":\n{"n":3}\n')
    await expect(all(file)).rejects.toThrow('a.jsonl:2: not a JSON line')
  })

  test('a torn last line is not read', async () => {
    const file = join(folder, 'a.jsonl')
    await writeFile(file, '{"n":1}\n{"n":')
    expect(await all(file)).toEqual([{ n: 1 }])
    await writeFile(file, '{"n":1}\n{"n":\n')
    await expect(all(file)).rejects.toThrow('a.jsonl:2')
  })

  test('an absent journal is empty', async () => expect(await all(join(folder, 'none.jsonl'))).toEqual([]))
})

describe('folder', () => {
  test('an absent manifest is undefined, a damaged one an error', async () => {
    expect(await readManifest(folder)).toBeUndefined()
    await replaceFile(join(folder, 'manifest.json'), '{')
    await expect(readManifest(folder)).rejects.toThrow('not a manifest')
  })

  test('a living process keeps others out, a dead one does not', async () => {
    await writeFile(join(folder, '.lock'), String(process.ppid))
    await expect(lockFolder(folder)).rejects.toThrow('is writing here')
    await writeFile(join(folder, '.lock'), '999999999')
    const release = await lockFolder(folder)
    expect(await readFile(join(folder, '.lock'), 'utf8')).toBe(String(process.pid))
    await release()
    await appendFile(join(folder, '.lock'), '')
    await (
      await lockFolder(folder)
    )()
  })
})
