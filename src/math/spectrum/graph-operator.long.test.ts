import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusteredFactors } from '../../test-support/clustered-factors.ts'
import { similarityFactors } from './factors.ts'
import { graphOperator, implicitWeights, normalizeWeights } from './graph-operator.ts'
import { hasNegativeWeight } from './negative-weights.ts'
import { denseOf } from './operator.ts'
import { clampedWeights, storedWeights } from './weights.ts'
import { spectrumStats } from './statistics.ts'
import { emptyPanel } from '../kernels.ts'
import { forEachPair } from './strips.ts'

test('L of two linked nodes and one without weight: clamped, only nodes 0 and 1 are linked', () => {
  // S is 1, .6, -1 / .6, 1, -.6 / -1, -.6, 1
  const nodes = [
    [1, 0],
    [0.6, 0.8],
    [-1, 0],
  ]
  const operator = graphOperator(similarityFactors([[], [], []], nodes, 64))
  expect([...operator.degrees]).toEqual([0.6, 0.6, 0].map((degree) => expect.closeTo(degree, 14) as number))
  expect([...denseOf(operator)].map((value) => Math.round(value * 1e12) / 1e12)).toEqual([0, 1, 0, 1, 0, 0, 0, 0, 0])
  expect(spectrumStats(operator, [1, 0, -1])).toEqual({
    form: 'stored',
    Lambda: expect.closeTo(2, 12) as number,
    themeEstimate: null,
    largestGapIndex: 2,
  })
})

test('a weight is the mean of the entries above and below the diagonal', () => {
  // two nodes whose question and text disagree: S = [[0, .8], [.6, 0]]
  const a = { data: Float64Array.of(0, 1, 1, 0), rows: 2, columns: 2 }
  const b = { data: Float64Array.of(0.6, 0, 0, 0.8), rows: 2, columns: 2 }
  expect(clampedWeights({ a, b })[1]).toBeCloseTo(0.7, 14)
})

const graphs = fc
  .record({
    n: fc.integer({ min: 1, max: 150 }),
    d: fc.integer({ min: 1, max: 24 }),
    common: fc.constantFrom(0, 0.2, 1),
    seed: fc.nat(1000),
  })
  .map((graph) => clusteredFactors({ ...graph, bits: 64 }))

test('finds out whether a weight is negative', () => {
  fc.assert(
    fc.property(graphs, (factors) => {
      let least = 0
      forEachPair(factors, (i, j, above, below) => {
        if (i < j) least = Math.min(least, above + below)
        return true
      })
      expect(hasNegativeWeight(factors)).toBe(least < 0)
    }),
  )
})

describe('the implicit operator', () => {
  test('gives L x and the sum of squares of the stored L, where no weight is negative', () => {
    fc.assert(
      fc.property(graphs, (factors) => {
        fc.pre(!hasNegativeWeight(factors))
        const n = factors.a.rows
        const implicit = normalizeWeights(implicitWeights(factors, 'implicit'))
        const stored = normalizeWeights(storedWeights(clampedWeights(factors), n))
        // a node of next to no weight has entries of L that rounding decides
        fc.pre(stored.degrees.every((degree) => degree === 0 || degree > 0.01))
        const x = emptyPanel(n).map((_, at) => Math.sin(at + 1))
        const [products, expected] = [implicit.times([x])[0]!, stored.times([x])[0]!]
        const apart = products.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i]!)), 0)
        expect(apart).toBeLessThan(1e-12)
        expect(implicit.squares()).toBeCloseTo(stored.squares(), 10)
      }),
    )
  })

  test.each<[string, number, number, number, boolean]>([
    ['implicit', 400, 32, 1, true],
    ['stored', 400, 8, 0, true],
    ['unclamped', 4100, 3, 1, false],
  ])('%s: %d nodes in %d dimensions with a common direction of %d', (form, n, d, common, hasStart) => {
    const operator = graphOperator(clusteredFactors({ n, d, common }))
    expect(operator.form).toBe(form)
    expect(operator.startVector !== undefined).toBe(hasStart)
  })

  test('an outlier of many nodes in a narrow cone counts', () => {
    const factors = clusteredFactors({ n: 400, d: 32 })
    for (let c = 0; c < 32; c++) factors.a.data[7 * 32 + c] = -factors.a.data[7 * 32 + c]!
    expect(graphOperator(factors).form).toBe('stored')
  })
})
