import { expect, test } from 'vitest'
import type { Manifest, ScorerRecord } from '../../records.ts'
import { journalsOf, madeRun, questionsWith, scorerRecord } from '../../test-support/fake-run.ts'
import { tableOf, type Table } from '../table/table.ts'

const causes = [scorerRecord('failure-cause', { failures: true, columns: [{ metric: 'accuracy', unit: 'count' }] })]
const shares = [scorerRecord('shares', { columns: [{ metric: 'accuracy', better: 'none' }] })]
const squad = [scorerRecord('squad', { columns: [{ metric: 'accuracy' }] })]

/** Two rows with every score by every scorer: 5 and 35 of 40 questions have a 1. */
function tableBy(scorers: readonly ScorerRecord[], compare?: Manifest['compare']): Promise<Table> {
  const { manifest, trials, scores } = madeRun({
    rows: { a: questionsWith(40, (i) => Number(i < 5)), b: questionsWith(40, (i) => Number(i < 35)) },
    manifest: { scorers, ...(compare && { compare }) },
  })
  const all = scorers.flatMap(({ id, scorer: label }) =>
    scores.map((line) => ({ ...line, scorer: label, scorerId: id })),
  )
  return tableOf(manifest, journalsOf({ trials, scores: all }))
}

const metricSettings = (label: string): Manifest['compare'] => ({
  metric: { scorer: label, metric: 'accuracy' },
})

test('compares rows on the first column where higher is better', async () => {
  expect((await tableBy([...causes, ...shares, ...squad])).comparison).toMatchObject({ scorer: 'squad' })
  expect((await tableBy([...causes, ...shares])).comparison).toBeUndefined()
})

test.each([...causes, ...shares])('does not compare rows on %o, even if an earlier config names it', async (record) => {
  const table = await tableBy([record, ...squad], metricSettings(record.scorer))
  expect(table.comparison).toBeUndefined()
  expect(table.notCompared).toBeDefined()
  expect((await tableBy([record, ...squad], metricSettings('squad'))).comparison).toMatchObject({ scorer: 'squad' })
})
