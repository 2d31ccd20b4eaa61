import { describe, expect, test } from 'vitest'
import type { Manifest } from '../../records.ts'
import { madeTable, questionsWith } from '../../test-support/fake-run.ts'
import { factsOf, messagesOf } from '../render/rows.ts'
import { comparisonNotes } from '../render/notes-on-comparison.ts'

const tableWith = async (...fixture: Parameters<typeof madeTable>) => (await madeTable(...fixture)).table

const right = (count: number, of = 20) => questionsWith(of, (i) => Number(i < count))
const against = (method: string) => ({
  compare: { baseline: { method, variant: '' } },
})

describe('rounding of scores', () => {
  // the sums of the same three numbers differ in their last digit
  const rising = questionsWith(12, () => [0.2, 0.4, 0.6])
  const falling = questionsWith(12, () => [0.6, 0.4, 0.2])

  test('counts scores that differ by rounding as ties', async () => {
    const table = await tableWith({ rows: { a: rising, b: falling }, manifest: { judgeRuns: 3 } })
    expect(table.comparison?.pairs).toMatchObject([{ win: 0, tie: 12, loss: 0, p: 1, error: null }])
  })

  test('gives a constant difference no error, and so no equivalence', async () => {
    const scores = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.35]
    const rows = { a: questionsWith(8, (i) => scores[i] ?? 0), b: questionsWith(8, (i) => (scores[i] ?? 0) - 0.1) }
    const { compare } = against('b')
    const { comparison } = await tableWith({ rows, manifest: { compare: { ...compare, margin: 0.2 } } })
    expect(comparison?.pairs).toMatchObject([{ error: null, equivalence: { p: null }, win: 8 }])
    expect(comparison?.smallestDifference).toBeNull()
  })
})

test('failed trials leave a row without a score out, and a note names it', async () => {
  const { manifest, table } = await madeTable({
    rows: { a: right(18), b: right(2), c: questionsWith(20, () => 'trial failed') },
  })
  expect(table.comparison?.unscored).toEqual(['c'])
  const [, , last] = messagesOf(comparisonNotes, factsOf(manifest, table))
  expect(last).toBe('accuracy: not compared, every score failed: c.')
})

test('leaves a row out of the comparison that is no longer in the config', async () => {
  const withoutRow = (manifest: Manifest): Manifest => ({
    ...manifest,
    methods: manifest.methods.map((row) => (row.method === 'old' ? { ...row, inConfig: false } : row)),
  })
  const table = await tableWith({ rows: { a: right(18), b: right(2), old: right(3, 3) } }, withoutRow)
  expect(table.comparison).toMatchObject({ questions: 20, fewest: 20 })
  expect(table.comparison?.rows.map(({ method }) => method)).toEqual(['a', 'b'])
  const withBaseline = await tableWith({ rows: { a: right(18), old: right(2) }, manifest: against('old') }, withoutRow)
  expect(withBaseline.comparison?.pairs).toHaveLength(1)
})

test('does not compare runs whose scorers differ under one label', async () => {
  const series = (manifest: Manifest): Manifest => {
    const runs = [1, 2].map((version): Manifest => ({
      ...manifest,
      hash: `h${version}`,
      scorers: manifest.scorers.map((scorer) => ({ ...scorer, id: `accuracy ${version}` })),
    }))
    const methods = manifest.methods.map((row, index) => ({ ...row, run: `h${index + 1}` }))
    return { ...manifest, methods, series: { runs, varied: ['scorers'], missing: [] } }
  }
  const table = await tableWith({ rows: { a: right(18), b: right(2) } }, series)
  expect(table.comparison).toBeUndefined()
  expect(table.notCompared).toContain('the scorer accuracy differs between the runs')
})
