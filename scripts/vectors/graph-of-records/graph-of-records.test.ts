import { expect, test } from 'vitest'
import { readVectors, runCases } from '../run.ts'
import { graphOfRecords } from './network.ts'

const golden = new URL('../../../src/methods/graph-of-records/golden/graph-of-records.json', import.meta.url).pathname
const vectors = readVectors(golden)
const cases = vectors.format === 'cases' ? vectors.cases : []

test.each([...new Set(cases.map(({ metric }) => metric))])('%s equals the code of Graph of Records', async (metric) => {
  const own = cases.filter((one) => one.metric === metric)
  expect(await runCases(own, graphOfRecords)).toEqual({ passed: own.length, failed: [], skipped: [] })
})
