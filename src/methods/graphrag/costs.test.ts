import { expect, test } from 'vitest'
import { graphragCosts, extractionCosts, sizesOf } from './costs.ts'
import { graphragOptions } from './options.ts'
const units = [{ tokens: 300 }, { tokens: 200 }]

function costsOf(given: object) {
  const options = graphragOptions.parse(given)
  return extractionCosts(units, sizesOf(units), options, (text) => text.length)
}

test.each([
  [0, { low: 2, expected: 2, high: 2 }],
  [1, { low: 4, expected: 4, high: 4 }],
  [2, { low: 6, expected: 8, high: 8 }],
  [4, { low: 6, expected: 16, high: 16 }],
])(
  '%i gleanings: beyond none 2g calls a text unit, three where a model says at once that nothing is missing',
  (g, calls) => {
    const own = costsOf({ maxGleanings: g }).slice(0, -1)
    const sum = (bound: 'low' | 'expected' | 'high') => own.reduce((total, { calls }) => total + calls[bound], 0)
    expect({ low: sum('low'), expected: sum('expected'), high: sum('high') }).toEqual(calls)
  },
)

test('rows share calls only where these ask the same', () => {
  const keysOf = (given: object) => costsOf(given).map(({ once }) => once)
  const usual = keysOf({})
  expect(keysOf({ mode: 'global' })).toEqual(usual)
  for (const other of [{ chunkTokens: 300 }, { compat: true }])
    expect(keysOf(other).filter((key) => usual.includes(key))).toEqual([])
})

test('rows that differ in the questions alone share the whole index', () => {
  const facts = {
    chunks: [],
    queries: [],
    budget: { passages: 5, tokens: 900 },
    countTokens: (text: string) => text.length,
  }
  const keysOf = (given: object) => graphragCosts(facts, graphragOptions.parse(given)).index.map(({ once }) => once)
  expect(keysOf({})).not.toContain(undefined)
  expect(keysOf({ mode: 'drift', communityLevel: 0 })).toEqual(keysOf({}))
  expect(keysOf({ reportEdges: 'level' }).filter((key) => keysOf({}).includes(key))).toHaveLength(2)
})
