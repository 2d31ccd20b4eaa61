import { expect, test } from 'vitest'
import type { TrialLine } from '../../records.ts'
import { indexLines, journalsOf, madeRun, questionsWith } from '../../test-support/fake-run.ts'
import { tableOf } from '../table/table.ts'
import { rowCostsTable } from './tables.ts'

const usage = { calls: 1, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }

/**
 * Costs of a graph, each index of which takes 1000 tokens and each question 50, and of the whole text, each question of
 * which takes 150.
 */
async function costsOf(repeats: number) {
  const made = madeRun({ rows: { graph: questionsWith(4, () => 1), full: questionsWith(4, () => 1) } })
  const methods = made.manifest.methods.map((row) => (row.method === 'full' ? { ...row, use: 'vector' } : row))
  const manifest = { ...made.manifest, repeats, methods }
  const lines = indexLines(manifest, (method) => (method === 'graph' ? repeats : 0))
  const indexes = lines.map((line) => ({ ...line, usage: { ...usage, promptTokens: 1000 } }))
  const trials = made.trials.flatMap((trial) =>
    Array.from({ length: repeats }, (_, repeat): TrialLine => {
      const promptTokens = trial.method === 'graph' ? 50 : 150
      const spent = { retrieve: usage, answer: { ...usage, promptTokens } }
      return { ...trial, id: `${trial.id} ${repeat}`, repeat, usage: spent }
    }),
  )
  const table = await tableOf(manifest, journalsOf({ trials: [...indexes, ...trials], scores: made.scores }))
  const { head, rows } = rowCostsTable(manifest, table)
  return [head, ...rows.map((row) => row.map(({ text }) => text))]
}

test.each([1, 5])('counts the index of one repeat where each of %i repeats has its own', async (repeats) => {
  const [head, ...rows] = await costsOf(repeats)
  expect(head).toEqual([
    'method',
    'tokens per question',
    'index tokens',
    'index seconds',
    'seconds per question',
    'break-even with full',
  ])
  expect(rows.map(([name, question, index, , , breakEven]) => [name, question, index, breakEven])).toEqual([
    ['graph', '50', '1,000', 'from 11'],
    ['full', '150', '0', '–'],
  ])
})
