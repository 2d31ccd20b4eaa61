import { expect, test } from 'vitest'
import { journalsOf, madeRun } from '../../test-support/fake-run.ts'
import { tableOf } from '../table/table.ts'
import { scoreTable } from './tables.ts'

test('the table of a series counts failures by kind, that of a single run does not', async () => {
  const { manifest, trials, scores } = madeRun({ rows: { a: { q0: 1, q1: 'trial failed' }, b: { q0: 0, q1: 1 } } })
  const asked = trials.map((line) =>
    line.methodId === 'id of b'
      ? { ...line, usage: { ...line.usage, answer: { ...line.usage.answer, calls: 1, cut: 1 } } }
      : line,
  )
  const judging = scores.map((line) => ({ ...line, usage: { ...line.usage, calls: 1, cut: 5 } }))
  const table = await tableOf(manifest, journalsOf({ trials: asked, scores: judging }))
  const series = { ...manifest, series: { runs: [manifest], varied: ['models.complete'], missing: [] } }
  expect(scoreTable(manifest, table).head.slice(-2)).toEqual(['failed scores', 'context tokens'])
  const { head, rows } = scoreTable(series, table)
  expect(head.slice(-4)).toEqual(['failed scores', 'failed: server', 'cut replies', 'context tokens'])
  expect(rows.map((row) => row.slice(-3, -1).map(({ text }) => text))).toEqual([
    ['1', '0'],
    ['0', '2'],
  ])
})
