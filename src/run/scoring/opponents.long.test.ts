import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeTables } from '../../library/write-tables.ts'
import type { ScoreLine } from '../../records.ts'
import { readResults } from '../../test-support/read-results.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { dryRun } from '../dry-run/dry-run.ts'
import { prepare } from '../prepare/prepare.ts'
import { run } from '../run.ts'

const scorers = (options: object = {}) => `scorers=${JSON.stringify([{ use: 'pairwise', ...options }])}`
const rows = (...methods: readonly string[]) => `methods=${JSON.stringify(methods)}`

async function runWith(project: string, set: readonly string[], settings = {}) {
  const outcome = await run(await tinyPlan(project, ['judgeRuns=1', ...set]), tinySettings(project, settings))
  await writeTables(outcome.folder)
  const lines = async () => (await readResults(outcome.folder)).scores
  const file = (name: string) => readFile(join(outcome.folder, name), 'utf8')
  return { ...outcome, lines, file }
}

const pairsOf = ({ parts }: ScoreLine): readonly string[] =>
  ((parts?.['pairs'] ?? []) as readonly { against: string }[]).map(({ against }) => against)

describe('pairwise comparison by a judge', () => {
  test('compares all rows but reference rows, and compares a new row with the existing ones', async () => {
    const project = await tinyProject()
    const first = await runWith(project, [rows('bm25', 'vector', 'oracle'), scorers({ criteria: ['directness'] })])
    const met = (lines: readonly ScoreLine[]) =>
      Object.fromEntries(
        lines.filter(({ question }) => question === 'builder').map((line) => [line.method, pairsOf(line)]),
      )
    expect(met(await first.lines())).toEqual({ bm25: ['vector'], vector: ['bm25'], oracle: ['bm25', 'vector'] })

    const again = await runWith(project, [rows('bm25', 'vector', 'oracle'), scorers({ criteria: ['directness'] })])
    expect(again.scores).toMatchObject({ made: 0, kept: 6 })

    const joined = await runWith(project, [
      rows('bm25', 'vector', 'oracle', 'tf-idf'),
      scorers({ criteria: ['directness'] }),
    ])
    expect(joined.folder).toBe(first.folder)
    expect(joined.scores).toMatchObject({ made: 8, kept: 0 })
    const lines = await joined.lines()
    expect(lines).toHaveLength(8)
    expect(met(lines)).toEqual({
      bm25: ['vector', 'tf-idf'],
      vector: ['bm25', 'tf-idf'],
      oracle: ['bm25', 'vector', 'tf-idf'],
      'tf-idf': ['bm25', 'vector'],
    })
  })

  test('compares with the named rows only, and the table ranks by the first criterion', async () => {
    const project = await tinyProject()
    const found = await runWith(project, [rows('bm25', 'vector', 'oracle'), scorers({ against: ['oracle'] })])
    const lines = await found.lines()
    expect(lines.filter(({ method }) => method === 'oracle').map(({ skipped }) => skipped)).toEqual([
      'no other row is compared with it',
      // nothing supports an answer to the other question
      'no model gave the answer: no context was found',
    ])
    expect(lines.filter(({ method }) => method === 'bm25').flatMap(pairsOf)).toContain('oracle')
    const table = await found.file('table.md')
    expect(table).toContain('Rows are ranked by comprehensiveness')
  })

  test('reports an unknown row in one line before any call', async () => {
    const project = await tinyProject()
    await expect(runWith(project, [rows('bm25', 'vector'), scorers({ against: ['bm52'] })])).rejects.toThrow(
      'the scorer "pairwise": unknown row "bm52"; did you mean "bm25"? (known: bm25, vector)',
    )
  })

  test('the plan counts the pairs of each row like the run, and counts no pair twice in the total', async () => {
    const project = await tinyProject()
    const set = [rows('bm25', 'vector', 'random'), scorers(), 'judgeRuns=2', 'repeats=2']
    const prepared = await prepare(await tinyPlan(project, set), tinySettings(project))
    const { rows: planned, together } = await dryRun(prepared, tinySettings(project), false)
    await prepared.close()
    const { lines } = await runWith(project, set)
    const spent = (await lines()).reduce((sum, { usage }) => sum + usage.calls, 0)
    const expected = planned.reduce((sum, { phases }) => sum + (phases.judge?.calls ?? NaN), 0)
    expect(expected).toBe(spent)
    // rows of equal answers share more
    expect(together.judge.calls).toBeLessThanOrEqual(spent / 2)
    expect(together.judge.calls).toBeGreaterThan(0)
  })
})

test('weights computed from all references are computed again when a question is added', async () => {
  const project = await tinyProject()
  const set = [rows('bm25'), `scorers=${JSON.stringify([{ use: 'bert-score', idf: true }])}`, 'dataset.limit=1']
  const first = await runWith(project, set)
  expect(first.scores).toMatchObject({ made: 1 })
  const more = await runWith(project, [...set.slice(0, 2), 'dataset.limit=3'])
  expect(more.scores).toMatchObject({ made: 2, kept: 0 })
  expect(await more.lines()).toHaveLength(2)
})
