import { appendFile, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { tinyProject } from '../test-support/tiny.ts'
import type { RunConfig } from '../run/run-config.ts'
import { diff } from './diff.ts'
import { plan } from './plan.ts'
import { power } from './power.ts'
import { report } from './report.ts'
import { run } from './run.ts'
import { table, tables } from './table.ts'
import { verify } from './verify.ts'

let cwd: string
let results: string
let one: string
let other: string
const config = {
  dataset: { use: 'sample', path: 'data' },
  models: { embed: 'fake' },
  methods: ['bm25', { use: 'random', label: 'chance' }],
} as const satisfies RunConfig

beforeAll(async () => {
  cwd = await tinyProject()
  results = join(cwd, 'results')
  one = basename((await run(config, { cwd })).folder)
  other = basename((await run({ ...config, seed: 7 }, { cwd })).folder)
})

test('plan estimates the calls of a run and writes nothing', async () => {
  const { runs, together } = await plan({ ...config, seed: 42 }, { cwd })
  expect(runs.map(({ name, hash, trials }) => [`${name}-${hash}`, trials])).toEqual([[one, 6]])
  expect(together.find(({ phase }) => phase === 'answer')?.calls).toBeGreaterThan(0)
  // @ts-expect-error the method has no option of that name
  await expect(plan({ ...config, methods: [{ use: 'bm25', k9: 1 }] }, { cwd })).rejects.toThrow('unknown key')
})

test('table reads a folder by path or name, and takes another baseline than the config', async () => {
  const { rows, comparisons, costs } = await table(join(results, one))
  expect(rows.map(({ name }) => name)).toEqual(['bm25', 'chance'])
  expect(comparisons.map(({ a, b }) => [a, b])).toEqual([['bm25', 'chance']])
  expect(costs.filter(({ phase }) => phase === 'answer')).toHaveLength(2)
  const asked = await table(one, { results, baseline: 'bm25' })
  expect(asked.comparisons.map(({ a, b }) => [a, b])).toEqual([['chance', 'bm25']])
  await expect(table(one, { results, baseline: 'bm52' })).rejects.toThrow(/^baseline: .*did you mean "bm25"/)
  await expect(table(one, { results, margin: 3 })).rejects.toThrow('margin: must be more than 0 and less than 1, not 3')
})

test('tables list the differences between the settings of runs', async () => {
  const { runs, notes } = await tables([one, other], { results })
  expect(runs.map(({ rows }) => rows.length)).toEqual([2, 2])
  expect(notes).toEqual(['the runs differ in their seed: their rows are not directly comparable'])
  // each table has what holds over all
  const [first, second] = runs.map(({ table: { across } }) => across)
  expect(first).toMatchObject({ runs: [one, other], sharedQuestions: true })
  expect(second).toBe(first)
})

test('diff compares two rows question by question', async () => {
  const { rows, gate, notes } = await diff(`${one}#bm25`, `${one}#chance`, { results })
  expect(rows.map(({ name, questions }) => [name, questions.length])).toEqual([['bm25 → chance', 3]])
  expect(['passed', 'worse', 'no verdict']).toContain(gate.outcome)
  await expect(diff(`${one}#bm25`, `${one}#chance`, { results, margin: 3 })).rejects.toThrow(
    'margin: must be more than 0',
  )
  expect(notes).toEqual(expect.any(Array))
})

test('power returns the number of questions that a difference needs', async () => {
  const found = await power(one, { results, difference: 0.2 })
  expect(found.pairs.map(({ a, b }) => [a, b])).toEqual([['bm25', 'chance']])
  await expect(power(one, { results, difference: 20 })).rejects.toThrow(
    'difference: must be more than 0 and less than 1',
  )
})

test('report writes a page from folders or from results of run and table', async () => {
  const output = join(cwd, 'report.html')
  expect((await report(await run(config, { cwd }), { output })).file).toBe(output)
  const { file, size, notes } = await report([one, other], { results, output })
  const page = await readFile(output, 'utf8')
  expect([file, size, notes]).toEqual([output, Buffer.byteLength(page), []])
  expect(page).toContain(`<h2>From ${one} to ${other}</h2>`)
  await report(await table(one, { results, baseline: 'bm25' }), { output, texts: false })
  const compared = await readFile(output, 'utf8')
  expect(compared).toContain('difference from bm25')
  expect(compared).toContain('This page omits texts of the dataset and of models.')
  await expect(report([], { output })).rejects.toThrow('name at least one run')
})

test('verify reports unchanged and changed files', async () => {
  const before = await verify(one, { results })
  expect(before.checks.filter(({ ok }) => ok === false || ok === null)).toEqual([])
  expect(before.ok).toBe(true)
  await appendFile(join(results, other, 'table.md'), 'x')
  const after = await verify(other, { results })
  expect([after.ok, after.checks.filter(({ ok }) => ok === false).map(({ check }) => check)]).toEqual([
    false,
    ['table.md'],
  ])
})
