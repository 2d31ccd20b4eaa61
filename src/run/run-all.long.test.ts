import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeTables } from '../library/write-tables.ts'
import { scoreTable } from '../report/render/tables.ts'
import { notesOf } from '../report/render/notes.ts'
import { conditionsOf } from '../report/render/conditions.ts'
import { tableOf } from '../report/table/table.ts'
import { tinyPlans, tinyProject, tinySettings } from '../test-support/tiny.ts'
import { openResults } from './results/series.ts'
import { runAll, type SeriesOutcome } from './run.ts'

const vary = { 'chunks.size': [20, 40], 'bm25.k1': [0.5, 1.5] }

async function runTiny(project: string, set: readonly string[] = []): Promise<SeriesOutcome> {
  const outcome = await runAll(await tinyPlans(project, set), tinySettings(project))
  await writeTables(outcome.folder)
  return outcome
}

/** The score grid of a results folder and what is said of it. */
async function visible(folder: string) {
  const results = await openResults(folder, '')
  const { manifest } = results
  const table = await tableOf(manifest, results)
  const { head, rows } = scoreTable(manifest, table)
  const texts = rows.map((row) => row.map(({ text }) => text))
  return { manifest, table, head, rows: texts, conditions: conditionsOf(manifest), notes: notesOf(manifest, table) }
}

test('several runs are one table with a column for each varied key, and a note about one run names that run', async () => {
  const project = await tinyProject({ methods: ['bm25', 'oracle'], vary })
  const { folder, runs, trials } = await runTiny(project)
  expect(basename(folder)).toMatch(/^tiny-series-[0-9a-f]{8}$/)
  expect(runs).toHaveLength(2)
  expect(trials).toEqual({ made: 18, kept: 0, failed: 0 })
  const { head, rows, conditions, manifest, notes, table } = await visible(folder)
  expect(head.slice(0, 4)).toEqual(['', 'method', 'chunks.size', 'k1'])
  expect(rows.map((row) => row.slice(0, 4))).toEqual([
    ['a', 'bm25', '20', '0.5'],
    ['b', 'bm25', '20', '1.5'],
    ['c', 'bm25', '40', '0.5'],
    ['d', 'bm25', '40', '1.5'],
    ['', 'oracle †', '20', ''],
    ['', 'oracle †', '40', ''],
  ])
  expect(conditions).toContain('; varied: chunks.size')
  expect(conditions).not.toContain('chunks of')
  expect(conditions).toContain('budget 2 passages and 60 tokens')
  expect(notes.join('\n')).toContain('oracle (chunks.size=20) †')
  expect(notes.join('\n')).not.toMatch(/Not complete|different numbers/)
  // what a run alone says is what the series says of its rows
  const ownRun = await Promise.all(runs.map(visible))
  expect(
    ownRun
      .flatMap((item) => item.table.cells)
      .map(({ method, variant, mean }) => [method, variant, mean])
      .sort(),
  ).toEqual(table.cells.map(({ method, variant, mean }) => [method, variant, mean]).sort())
  expect(ownRun[0]?.conditions).toContain('chunks of 20 tokens')
  expect(manifest.finished).not.toBeNull()
})

test('an interrupted series reports what is missing and continues', async () => {
  const project = await tinyProject({ vary })
  const { folder, runs, trials } = await runTiny(project)
  await rm(runs[1] ?? '', { recursive: true })
  const { notes, manifest } = await visible(folder)
  expect(notes.join('\n')).toContain('1 of 2 runs have not started: run the config again.')
  expect(manifest.finished).toBeNull()
  expect((await runTiny(project)).trials).toMatchObject({ kept: trials.made / 2, made: trials.made / 2 })
  for (const run of runs) await rm(run, { recursive: true })
  await expect(openResults(folder, '')).rejects.toThrow('none of its runs is beside it')
})

test.each([
  ['judgeRuns', [1, 2]],
  ['repeats', [1, 2]],
  ['scorers', [['accuracy'], ['accuracy', { use: 'retrieval', k: [1] }]]],
  ['dataset.limit', [1, 3]],
])('%s: runs that share a setting have folders of their own', async (key, values) => {
  const project = await tinyProject({ methods: ['bm25'], scorers: ['accuracy'], vary: { [key]: values } })
  const { folder, runs } = await runTiny(project)
  expect(new Set(runs).size).toBe(2)
  const { rows, notes } = await visible(folder)
  expect(rows).toHaveLength(2)
  expect(notes.join('\n')).not.toContain('Not complete')
})

test('questions of different files are different questions, even with the same ids', async () => {
  const project = await tinyProject({ methods: ['bm25'], dataset: { use: 'sample', path: 'data' } })
  const text = await readFile(join(project, 'data', 'questions.jsonl'), 'utf8')
  await mkdir(join(project, 'other'))
  await writeFile(join(project, 'other', 'questions.jsonl'), text.replace('Who built', 'Who ever built'))
  await mkdir(join(project, 'other', 'documents'))
  for (const name of ['the-mill.md', 'the-bakery.md'])
    await writeFile(join(project, 'other', 'documents', name), await readFile(join(project, 'data', 'documents', name)))
  const { folder } = await runTiny(project, ['vary={dataset.path: [data, other]}'])
  const { table, rows } = await visible(folder)
  expect(table.notCompared).toMatch(/no two rows share a question with a score of/)
  expect(rows.map((row) => row.slice(0, 2))).toEqual([
    ['bm25', 'data'],
    ['bm25', 'other'],
  ])
})

describe('a results folder of a series from another person', () => {
  test.each([
    ['leads nowhere', { runs: ['../../etc'] }, '"runs[0]" must not be "../../etc"'],
    ['of another format', { format: 7 }, 'results format 7; this version reads format 3'],
    ['without runs', { runs: [] }, '"runs" must not be'],
  ])('%s', async (_name, change, message) => {
    const folder = join(await tinyProject(), 'x')
    await mkdir(folder)
    const record = { format: 3, name: 'x', hash: '0', varied: [], runs: ['a'], ...change }
    await writeFile(join(folder, 'series.json'), JSON.stringify(record))
    await expect(openResults(folder, '')).rejects.toThrow(message)
  })
})
