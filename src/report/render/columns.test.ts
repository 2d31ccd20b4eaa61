import { expect, test } from 'vitest'
import type { Manifest, ScoreLine } from '../../records.ts'
import { journalsOf, madeRun, type MadeRun } from '../../test-support/fake-run.ts'
import { tableOf } from '../table/table.ts'
import { columnsOf } from './columns.ts'
import { notesOf } from './notes.ts'

/** Titles of the columns of a run whose scores have these metrics. */
async function titles(rows: MadeRun['rows'], metrics?: ScoreLine['metrics']): Promise<readonly string[]> {
  const { manifest: bare, trials, scores } = madeRun({ rows })
  const [scorer] = bare.scorers
  const columns = [{ metric: 'accuracy' }, { metric: 'evidenceF1', label: 'Evidence F1' }]
  const manifest: Manifest = { ...bare, scorers: [{ ...scorer!, columns }] }
  const scored = scores.map((line) => (line.metrics && metrics ? { ...line, metrics } : line))
  const table = await tableOf(manifest, journalsOf({ trials, scores: scored }))
  return columnsOf(manifest, table).map(({ label }) => label)
}

test('hides a metric without values if the scorer has others', async () => {
  expect(await titles({ bm25: { a: 1, b: 'score failed' }, vector: { a: 'trial failed', b: 0 } })).toEqual(['accuracy'])
  expect(await titles({ bm25: { a: 1 }, vector: { a: 'trial failed' } }, { evidenceF1: 0 })).toEqual(['Evidence F1'])
})

test('keeps every column if nothing was scored', async () => {
  expect(await titles({ bm25: { a: 'score failed', b: 'trial failed' }, vector: { a: 'declined' } })).toEqual([
    'accuracy',
    'Evidence F1',
  ])
})

test('puts the budget into the title of a metric whose cut-off exceeds it, and explains it in a note', async () => {
  const { manifest: bare, trials, scores } = madeRun({ rows: { bm25: { a: 1 } } })
  const [scorer] = bare.scorers
  const columns = [{ metric: 'recall@5' }, { metric: 'recall@100' }]
  const budget = { passages: 5, tokens: 500 }
  const manifest: Manifest = {
    ...bare,
    budget,
    scorers: [{ ...scorer!, scorer: 'retrieval', use: 'retrieval', columns }],
  }
  const scored = scores.map((line) => ({
    ...line,
    scorer: 'retrieval',
    metrics: { 'recall@5': 0.5, 'recall@100': 0.5 },
  }))
  async function* lines<T>(all: readonly T[]): AsyncGenerator<T> {
    yield* all
  }
  const table = await tableOf(manifest, {
    trials: () => lines(trials),
    scores: () => lines(scored),
    timings: () => lines([]),
  })
  expect(columnsOf(manifest, table).map(({ label }) => label)).toEqual(['recall@5', 'recall@100 of 5'])
  expect(notesOf(manifest, table)).toContain(
    'recall@100 of 5: contexts end at 5 passages, lower ranks count as not found. "answers: none" scores full rankings.',
  )
  expect(columnsOf({ ...manifest, answers: 'none' }, table).map(({ label }) => label)).toContain('recall@100')
})
