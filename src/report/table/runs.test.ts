import { expect, test } from 'vitest'
import printed from '../../../configs/paper/hlgraphrag-figure-5-5.json' with { type: 'json' }
import { journalsOf, madeRun, questionsWith, type MadeOutcome } from '../../test-support/fake-run.ts'
import { runCharts } from '../figures/run-charts.ts'
import { drawChart } from '../figures/draw-chart.ts'
import { testTables } from '../paper/messages.ts'
import { judgeTests } from '../paper/compare-cells.ts'
import { paperTable } from '../paper/paper-table.ts'
import { scoreTable } from '../render/tables.ts'
import { factsOf, messagesOf } from '../render/rows.ts'
import { runNotes } from '../render/notes-on-runs.ts'
import { testRuns, votesOf } from './runs.ts'
import { scoredTableOf } from './table.ts'

/**
 * A run of rows whose repeats each choke on so many of ten questions, the first ones; `fails` says which trials fail.
 */
async function tableWith(
  rows: Readonly<Record<string, readonly number[]>>,
  fails: (row: string, question: number, repeat: number) => boolean = () => false,
) {
  const byQuestion = (row: string, counts: readonly number[]) =>
    questionsWith(10, (index) =>
      counts.map((count, repeat): MadeOutcome =>
        fails(row, index, repeat) ? 'trial failed' : [Number(index < count)],
      ),
    )
  const outcomes = Object.entries(rows).map(([row, counts]) => [row, byQuestion(row, counts)] as const)
  const fixture = madeRun({ rows: Object.fromEntries(outcomes) })
  const columns = [{ metric: 'accuracy', label: 'chokes', unit: 'count' as const }]
  const scorers = fixture.manifest.scorers.map((scorer) => ({ ...scorer, columns }))
  const manifest = { ...fixture.manifest, repeats: 4, scorers }
  const { table, scores } = await scoredTableOf(manifest, journalsOf(fixture))
  const sideOf = (name: string) => {
    const id = manifest.methods.find(({ method }) => method === name)?.id ?? ''
    return scores.of(id, manifest.scorers[0]?.id ?? '', 'accuracy')
  }
  const test = () => testRuns(sideOf('A'), sideOf('B'), scores.questions.clusterOf, 1)
  return { manifest, table, scores, test, notes: messagesOf(runNotes, factsOf(manifest, table)) }
}

test('reports counts by run, their means, and the test of two rows', async () => {
  const { manifest, table, test, notes } = await tableWith({ A: [7, 8, 6, 9], B: [3, 2, 4, 1] })
  const [runs] = table.runs ?? []
  expect(runs?.rows.map(({ method, perRun, mean }) => [method, perRun['accuracy'], mean['accuracy']])).toEqual([
    ['A', [7, 8, 6, 9], 7.5],
    ['B', [3, 2, 4, 1], 2.5],
  ])
  // all of 16 pairs of runs, in one of 70 orders of eight
  const counts = { questions: 10, u: 16, pAbove: expect.closeTo(1 / 70, 12) }
  expect(test()).toMatchObject({ ...counts, paired: { questions: 10, difference: 0.5 } })
  const { head, rows } = scoreTable(manifest, table)
  expect(rows.map((row) => row[head.indexOf('chokes')]?.text.split(' ')[0])).toEqual(['7.5', '2.5'])
  expect(notes[0]).toBe('accuracy, run by run: A 7 8 6 9; B 3 2 4 1.')
})

test('tests rows on the questions that both have scored in every run', async () => {
  const equal = [7, 7, 7, 7]
  const { table, test, notes } = await tableWith({ A: equal, B: equal }, (row, question) => row === 'B' && question < 4)
  const [runs] = table.runs ?? []
  expect(runs?.rows.map(({ perRun, questions }) => [perRun['accuracy'], questions])).toEqual([
    [equal, [10, 10, 10, 10]],
    [
      [3, 3, 3, 3],
      [6, 6, 6, 6],
    ],
  ])
  expect(test()).toMatchObject({ questions: 6, u: 8, paired: { questions: 6, difference: 0 } })
  expect(notes[0]).toBe('accuracy, run by run: A 7 7 7 7; B 3 3 3 3 of 6 6 6 6 questions.')
})

test('leaves out questions that failed in any run, and has no test without common questions', async () => {
  const counts = { A: [7, 8, 6, 9], B: [3, 2, 4, 1] }
  const once = await tableWith(counts, (row, question, repeat) => row === 'A' && question === 0 && repeat === 2)
  expect(once.test()).toMatchObject({ questions: 9, u: 16, paired: { questions: 10 } })
  const never = await tableWith(counts, (row, question) => (row === 'A') === question < 5)
  expect(never.test()).toBeUndefined()
})

test('has no test and no note for one run', async () => {
  const { test, notes } = await tableWith({ A: [7], B: [3] })
  expect(test()).toBeUndefined()
  expect(notes).toEqual([])
})

const verdict = (...args: readonly number[]) => [
  { question: 0, mean: 0, values: args.map((value, repeat) => ({ repeat, run: 0, value })) },
]

test.each([
  [[1, 1, 1], [0, 0, 0], { choke: 1, correct: 0, none: 0 }, 1],
  [[1, 0, 0], [0, 1, 1], { choke: 0, correct: 1, none: 0 }, 1 / 3],
  [[1, 0], [0, 1], { choke: 0, correct: 0, none: 1 }, 0],
  [[0], [1], { choke: 0, correct: 1, none: 0 }, null],
])('runs with the labels %j and %j have a majority and an agreement', (choke, correct, majority, agreement) => {
  const result = votesOf([
    ['choke', verdict(...choke)],
    ['correct', verdict(...correct)],
  ])
  expect(result.majority).toEqual(majority)
  if (agreement === null) expect(result.agreement).toBeNull()
  else expect(result.agreement).toBeCloseTo(agreement, 12)
})

test("recomputes the paper's tests from its printed runs, and adds ours where both rows exist", async () => {
  const { rows, columns, ...rest } = printed
  const paper = paperTable.parse({
    ...rest,
    rows: { ...rows, HL: { method: 'A' }, 'HL+DW': { method: 'B' } },
    columns: { ...columns, choke: { ...columns.choke, scorer: 'accuracy', metric: 'accuracy', unit: 'number' } },
  })
  const without = judgeTests(paper, new Map())
  expect(without.map(({ row, than, agrees, ours: ourValue }) => [row, than, agrees, ourValue])).toEqual([
    ['LangChain', 'GraphRAG', true, null],
    ['GraphRAG', 'HL', true, null],
    ['HL', 'HL+DW', false, null],
    ['HL+DW', 'HL+DW+RR', true, null],
    ['HL', 'HL+DW+RR', true, null],
  ])
  expect(without[2]?.ofItsRuns).toBeCloseTo(3.7193e-4, 7)
  const { table, ...runScores } = await tableWith({ A: [7, 8, 6, 9], B: [3, 2, 4, 1] })
  const tests = judgeTests(paper, new Map([['all', { table, runScores }]]))
  // one test of ours: the family is one
  expect(tests[2]?.ours?.pAdjusted).toBe(tests[2]?.ours?.pAbove)
  const [texts] = testTables(tests)
  expect(texts?.table.rows[2]?.map(({ text }) => text)).toEqual([
    ...['HL above HL+DW', '0.15', '0.000372: not what is printed'],
    ...[expect.stringMatching(/^\+50\.0 points, p /), 'U = 16, p 0.0143'],
  ])
})

test('draws bars of counts, and a histogram of several runs, with stable bytes', async () => {
  const { manifest, table } = await tableWith({ 'A<b>': [7, 8, 6, 9], B: [3, 2, 4, 1] })
  const charts = runCharts(manifest, table)
  expect(charts.map(({ name }) => name)).toEqual(['runs-counts', 'runs-histogram'])
  for (const chart of charts) {
    const svg = await drawChart(chart)
    expect(svg).toMatch(/^<svg /)
    expect(svg).toContain('A&lt;b&gt;')
    expect(await drawChart(chart)).toBe(svg)
  }
  const once = await tableWith({ A: [7] })
  expect(runCharts(once.manifest, once.table).map(({ name }) => name)).toEqual(['runs-counts'])
})
