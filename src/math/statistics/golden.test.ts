import { expect, test } from 'vitest'
import { readVectors, runCases } from '../../../scripts/vectors/run.ts'
import { statistics } from '../../../scripts/vectors/statistics.ts'

const vectors = readVectors(new URL('golden/statistics.json', import.meta.url).pathname)
const cases = vectors.format === 'cases' ? vectors.cases : []

test('the golden file is whole', () => expect(cases).toHaveLength(41))

test.each(cases.map((one) => [one.id, one] as const))('%s equals its reference', async (_id, one) => {
  expect(await runCases([one], statistics)).toEqual({ passed: 1, failed: [], skipped: [] })
})
