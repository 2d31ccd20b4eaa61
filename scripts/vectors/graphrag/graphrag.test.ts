import { expect, test } from 'vitest'
import { readVectors, runCases } from '../run.ts'
import { graphrag } from './graphrag.ts'

const golden = new URL('../../../src/methods/graphrag/golden/graphrag.json', import.meta.url).pathname
const vectors = readVectors(golden)
const cases = vectors.format === 'cases' ? vectors.cases : []

/** Declared as optional by the vectors: Python's own shuffle. */
const optional = ['graphrag.shuffle']

test.each([...new Set(cases.map(({ metric }) => metric))].filter((metric) => !optional.includes(metric)))(
  '%s equals release 3.1.2 of GraphRAG',
  async (metric) => {
    const own = cases.filter((one) => one.metric === metric)
    const { passed, failed } = await runCases(own, graphrag)
    expect(failed).toEqual([])
    expect(passed).toBe(own.length)
  },
  60_000,
)
