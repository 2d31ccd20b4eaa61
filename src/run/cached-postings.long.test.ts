import { appendFile, cp, readdir, readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mulberry32 } from '../math/random.ts'
import { tinyPlan, tinyProject, tinySettings } from '../test-support/tiny.ts'
import { run } from './run.ts'
import type { Settings } from './prepare/settings.ts'

/** A project with a document of five million characters besides. */
async function largeProject(): Promise<string> {
  const methods = ['bm25', { use: 'bm25', label: 'k1', k1: 1.2 }, 'tf-idf', { use: 'hybrid', of: ['bm25', 'tf-idf'] }]
  const project = await tinyProject({ methods, chunks: { size: 500 } })
  const random = mulberry32(5)
  const words = Array.from({ length: 700_000 }, () => `word${Math.floor(40 / (random() + 0.01))}`)
  await appendFile(join(project, 'data', 'documents', 'the-bakery.md'), words.join(' '))
  return project
}

/** The lines of a run, and what it warned of. */
async function ran(project: string, results: string, settings: Partial<Settings> = {}) {
  const warnings: string[] = []
  const warn = (line: string): void => void warnings.push(line)
  const ownRun = tinySettings(project, { results: join(project, results), warn, ...settings })
  const { folder } = await run(await tinyPlan(project), ownRun)
  return { lines: await readFile(join(folder, 'trials.jsonl'), 'utf8'), warned: warnings }
}

test('several runs share one file of postings, with the results of a run without such a file', async () => {
  const project = await largeProject()
  const folder = join(project, 'cache', 'indexes')
  const without = await ran(project, 'without', { cache: false })
  await expect(readdir(folder)).rejects.toThrow('ENOENT')

  const first = await ran(project, 'first')
  const [name = '', ...rest] = await readdir(folder)
  expect([rest, first]).toEqual([[], without])
  const { ino } = await stat(join(folder, name))

  expect(await ran(project, 'second')).toEqual(without)
  expect((await stat(join(folder, name))).ino).toBe(ino)

  // as a copy that was broken off leaves it
  await cp(join(folder, name), join(project, 'whole'))
  await truncate(join(folder, name), 100_000)
  const damagedRun = await ran(project, 'damaged')
  expect(damagedRun.lines).toBe(without.lines)
  expect(damagedRun.warned.filter((line) => line.includes(name))).toEqual([
    expect.stringContaining('is damaged or of another version; it is built again'),
  ])
  expect((await readFile(join(folder, name))).equals(await readFile(join(project, 'whole')))).toBe(true)
})
