import { expect, test } from 'vitest'
import { journalsOf, madeRun, madeTable, questionsWith, type MadeRun } from '../../test-support/fake-run.ts'
import { scoreTable } from '../render/tables.ts'
import { notesOf } from '../render/notes.ts'
import { tableOf, type Table } from './table.ts'

async function tableOfFixture(fixture: MadeRun) {
  const { manifest, table } = await madeTable(fixture)
  return { table, head: scoreTable(manifest, table).head, notes: notesOf(manifest, table).join('\n') }
}

const cellOf = ({ cells }: Table, method: string, metric: string, subset = 'all') =>
  cells.find((cell) => cell.method === method && cell.metric === metric && cell.subset === subset)

const rows: MadeRun['rows'] = {
  'closed-book': { q1: 1, q2: 0, q3: 0, q4: 0 },
  // q4 failed: it is in no difference with the oracle
  bm25: { q1: 1, q2: 1, q3: 0, q4: 'trial failed' },
  oracle: { q1: 1, q2: 1, q3: 1, q4: 0 },
}

test('computes gap to oracle, contamination and accuracy where closed-book fails on common questions', async () => {
  const { table, head, notes } = await tableOfFixture({ rows })
  expect(cellOf(table, 'bm25', 'headroom')).toMatchObject({ mean: 1 / 3, n: 3, failed: 1 })
  expect(cellOf(table, 'closed-book', 'headroom')).toMatchObject({ mean: 0.5, n: 4 })
  expect(cellOf(table, 'oracle', 'headroom')).toBeUndefined()
  expect(cellOf(table, 'bm25', 'accuracy', 'closed-book wrong')).toMatchObject({ mean: 0.5, n: 2 })
  expect(cellOf(table, 'oracle', 'accuracy', 'closed-book wrong')).toMatchObject({ mean: 2 / 3, n: 3 })
  expect(cellOf(table, 'closed-book', 'contamination')).toMatchObject({ mean: 0.25, n: 4 })
  expect(head).toEqual(expect.arrayContaining(['headroom', 'closed-book wrong']))
  expect(notes).toContain('contamination: 25.0 ±25.0 % of 4 questions are right without context')
})

test('shows closed-book accuracy beside the accuracy of guessing', async () => {
  const { manifest, trials, scores } = madeRun({ rows })
  const questions = trials.map((trial, i) => ({
    ...trial,
    // of four questions one has two options, the others four
    question: {
      ...trial.question,
      reference: { kind: 'choice' as const, options: i % 4 === 0 ? ['a', 'b'] : ['a', 'b', 'c', 'd'], correct: 0 },
    },
  }))
  const table = await tableOf(manifest, journalsOf({ trials: questions, scores }))
  expect(table.rows[0]?.chance).toBe((0.5 + 3 * 0.25) / 4)
  expect(notesOf(manifest, table).join()).toContain(
    'are right without context (accuracy >= .5); guessing: 31.3 % of those with options.',
  )
})

test('gives the gap to oracle a paired interval, and counts only its failures', async () => {
  const of = (right: number, failed: (question: number) => boolean = () => false) =>
    questionsWith(20, (i) => (failed(i) ? ('trial failed' as const) : Number(i < right)))
  const { table, notes } = await tableOfFixture({
    rows: { 'closed-book': of(10), bm25: of(20, (i) => i < 5), w: of(10), oracle: of(10, (i) => i === 19) },
  })
  const equal = cellOf(table, 'w', 'headroom')
  expect(equal).toMatchObject({ mean: 0, n: 19, failed: 1 })
  expect(equal?.low).toBeCloseTo(-(equal?.high ?? NaN), 12)
  expect(equal?.high).toBeGreaterThan(0)
  expect(cellOf(table, 'bm25', 'headroom')).toMatchObject({ n: 14, failed: 6 })
  // all that failed was right without a context
  expect(cellOf(table, 'bm25', 'accuracy', 'closed-book wrong')).toMatchObject({ n: 10, failed: 0 })
  expect(notes).toContain('on 14 to 19 questions')
  expect(notes).toContain('"closed-book wrong": score on the other 9 to 10 questions.')
})
