import { expect, test } from 'vitest'
import type { Manifest, ScoreLine } from '../../records.ts'
import { journalsOf, madeRun, scorerRecord, type MadeRun } from '../../test-support/fake-run.ts'
import { tableOf } from '../table/table.ts'
import { columnsOf } from './columns.ts'

/** Titles of the columns of a run whose scores have these metrics. */
async function titles(rows: MadeRun['rows'], metrics?: ScoreLine['metrics']): Promise<readonly string[]> {
  const { manifest: bare, trials, scores } = madeRun({ rows })
  const columns = [{ metric: 'accuracy' }, { metric: 'evidenceF1', label: 'Evidence F1' }]
  const manifest: Manifest = { ...bare, scorers: [scorerRecord('accuracy', { id: 'acc1', columns })] }
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

test('titles of retrieval metrics name the passages of a context that ends before their cut-off', async () => {
  const { manifest: bare, trials, scores } = madeRun({ rows: { bm25: { a: 1 } } })
  const metrics = { 'recall@2': 0.25, 'recall@10': 0.5, 'ndcg@10': 0.75 }
  const budget = { passages: 5, tokens: 500 }
  const columns = Object.keys(metrics).map((metric) => ({ metric, label: metric.replace('ndcg', 'nDCG') }))
  const manifest: Manifest = { ...bare, budget, scorers: [scorerRecord('retrieval', { id: 'acc1', columns })] }
  const scored = scores.map((line) => ({ ...line, scorer: 'retrieval', metrics }))
  const table = await tableOf(manifest, journalsOf({ trials, scores: scored }))
  const titlesOf = (changes: Partial<Manifest>) =>
    columnsOf({ ...manifest, ...changes }, table).map(({ label }) => label)
  expect(titlesOf({})).toEqual(['recall@2', 'recall@10 of 5 passages', 'nDCG@10 of 5 passages'])
  const fullDepth = ['recall@2', 'recall@10', 'nDCG@10']
  expect(titlesOf({ answers: 'none' })).toEqual(fullDepth)
  expect(titlesOf({ methods: manifest.methods.map((row) => ({ ...row, answers: 'own' as const })) })).toEqual(fullDepth)
})
