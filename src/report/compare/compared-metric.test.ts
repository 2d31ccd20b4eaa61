import { expect, test } from 'vitest'
import type { Manifest, ScorerRecord } from '../../records.ts'
import { journalsOf, madeRun, questionsWith } from '../../test-support/fake-run.ts'
import { tableOf, type Table } from '../table/table.ts'

const [plain] = madeRun({ rows: {} }).manifest.scorers
const scorer = (label: string, shown: Partial<ScorerRecord>): ScorerRecord[] =>
  plain ? [{ ...plain, scorer: label, id: label, ...shown }] : []

const causes = scorer('failure-cause', { failures: true, columns: [{ metric: 'accuracy', unit: 'count' }] })
const shares = scorer('shares', { columns: [{ metric: 'accuracy', better: 'none' }] })
const squad = scorer('squad', { columns: [{ metric: 'accuracy' }] })

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

const named = (label: string): Manifest['compare'] => ({
  metric: { scorer: label, metric: 'accuracy' },
})

test('rows are compared on the first column of which more is better', async () => {
  expect((await tableBy([...causes, ...shares, ...squad])).comparison).toMatchObject({ scorer: 'squad' })
  expect((await tableBy([...causes, ...shares])).comparison).toBeUndefined()
})

test.each([causes, shares])('rows of an earlier run, whose config names %o, are not compared on it', async (one) => {
  const table = await tableBy([one, ...squad], named(one.scorer))
  expect(table.comparison).toBeUndefined()
  expect(table.notCompared).toBeDefined()
  expect((await tableBy([one, ...squad], named('squad'))).comparison).toMatchObject({ scorer: 'squad' })
})
