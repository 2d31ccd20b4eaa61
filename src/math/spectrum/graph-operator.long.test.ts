import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusteredFactors } from '../../test-support/clustered-factors.ts'
import { similarityFactors, type Factors } from './factors.ts'
import { graphOperator, normalizeWeights, type GraphOperator } from './graph-operator.ts'
import { implicitWeights } from './graph-operator.ts'
import { negativeEntries } from './negative-entries.ts'
import { denseOperator, multiply } from './operator.ts'
import { graphDefaults, type GraphOptions, storedWeights } from './weights.ts'
import { spectrumStats } from './statistics.ts'
import { emptyPanel } from '../kernels.ts'

const numbers = (values: ArrayLike<number>) => Array.from(values)

/** S is 1, .6, -1 / .6, 1, -.6 / -1, -.6, 1 for (1,0), (.6,.8), (-1,0), each asking with its own vector. */
const line = similarityFactors(
  [[], [], []],
  [
    [1, 0],
    [0.6, 0.8],
    [-1, 0],
  ],
  64,
)

/** Two nodes whose question and text disagree: S = [[0, .8], [.6, 0]]. */
const crossed: Factors = {
  a: { data: Float64Array.of(0, 1, 1, 0), rows: 2, columns: 2 },
  b: { data: Float64Array.of(0.6, 0, 0, 0.8), rows: 2, columns: 2 },
}

describe('weights and degrees by hand', () => {
  test.each<[Partial<GraphOptions>, number[]]>([
    // clamped, only nodes 0 and 1 are linked
    [{}, [0.6, 0.6, 0]],
    [{ negatives: 'keep' }, [0, 0, 0]],
  ])('%j', (options, degrees) => {
    const { degrees: got, trace } = graphOperator(line, options)
    degrees.forEach((degree, i) => expect(got[i]).toBeCloseTo(degree, 14))
    expect(trace).toBeCloseTo(0, 14)
  })

  test.each<[GraphOptions['symmetrize'], number]>([
    ['mean', 0.7],
    ['max', 0.8],
    ['min', 0.6],
  ])('%s of .8 above and .6 below the diagonal', (symmetrize, weight) => {
    const data = storedWeights(crossed, { ...graphDefaults, symmetrize }).dense()
    expect(numbers(data).map((value) => Math.round(value * 1e12) / 1e12)).toEqual([0, weight, weight, 0])
  })

  test('L of two linked nodes and one without weight', () => {
    const operator = graphOperator(line)
    expect(numbers(operator.dense()).map((value) => Math.round(value * 1e12) / 1e12)).toEqual([
      0, 1, 0, 1, 0, 0, 0, 0, 0,
    ])
    expect(spectrumStats(operator, [1, 0, -1])).toMatchObject({
      n: 3,
      form: 'stored',
      isolated: 1,
      trace: 0,
      Lambda: expect.closeTo(2, 12),
      asymmetryMax: 0,
      negativeShare: 2 / 3,
      themeEstimate: null,
      largestGapIndex: 2,
    })
  })
})

const options = fc.record({ negatives: fc.constantFrom('clamp', 'keep') })
const graphs = fc.record({
  n: fc.integer({ min: 1, max: 150 }),
  d: fc.integer({ min: 1, max: 24 }),
  common: fc.constantFrom(0, 0.2, 1),
  seed: fc.nat(1000),
})

describe('the implicit operator', () => {
  test('agrees with the stored operator for all options', () => {
    fc.assert(
      fc.property(graphs, options, (graph, chosen) => {
        const factors = clusteredFactors({ ...graph, bits: 64 })
        const [implicit, stored] = both(factors, chosen)
        const x = emptyPanel(graph.n).map((_, at) => Math.sin(at + 1))
        expect(distance(implicit.times([x])[0]!, stored.times([x])[0]!)).toBeLessThan(1e-12)
        expect(implicit.dense()).toEqual(stored.dense())
        const scale = new Float64Array(graph.n).map((_, i) => 1 / (i + 1))
        expect(implicit.squares(scale)).toBeCloseTo(stored.squares(scale), 10)
      }),
    )
  })

  test('gives L x and the sum of squares of the stored L', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const factors = clusteredFactors({ ...graph, bits: 64 })
        const [implicit, stored] = both(factors, {}).map(normalizeWeights) as [GraphOperator, GraphOperator]
        // a node of next to no weight has entries of L that rounding decides
        fc.pre(stored.degrees.every((degree) => degree === 0 || degree > 0.01))
        const x = Float64Array.from({ length: graph.n }, (_, i) => Math.sin(i + 1))
        expect(distance(multiply(implicit, x), multiply(denseOperator(stored.dense(), graph.n), x))).toBeLessThan(1e-12)
        expect(implicit.squares()).toBeCloseTo(stored.squares(), 10)
        expect(implicit.trace).toBeCloseTo(stored.trace, 12)
      }),
    )
  })

  test('is chosen for many nodes in a narrow cone, without computing the pairs', () => {
    const operator = graphOperator(clusteredFactors({ n: 400, d: 32 }))
    expect(operator.form).toBe('implicit')
    expect(operator.pairStats).toEqual({ asymmetryMax: null, negativeShare: 0 })
    expect(operator.startVector).toBeDefined()
  })

  test('computes only the pairs of an outlier', () => {
    const factors = clusteredFactors({ n: 400, d: 32 })
    for (let c = 0; c < 32; c++) factors.a.data[7 * 32 + c] = -factors.a.data[7 * 32 + c]!
    const found = negativeEntries(factors, 1e6)!
    const weights = storedWeights(factors, { ...graphDefaults, negatives: 'keep' }).dense()
    const expected = numbers(weights).filter((weight) => weight < 0).length / 2
    expect(found.entries.count).toBe(expected)
    found.entries.forEach((i, j, weight) => {
      expect(i === 7 || j === 7).toBe(true)
      expect(weight).toBeCloseTo(weights[i * 400 + j]!, 12)
    })
  })

  test('finds every negative weight', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const factors = clusteredFactors({ ...graph, bits: 64 })
        const { n } = graph
        const weights = storedWeights(factors, { ...graphDefaults, negatives: 'keep' }).dense()
        const expected = Array.from({ length: n * n }, (_, at) => at)
          .filter((at) => Math.floor(at / n) < at % n && weights[at]! < 0)
          .map((at) => [Math.floor(at / n), at % n])
        const found: number[][] = []
        negativeEntries(factors, 1e9)!.entries.forEach((i, j) => found.push([i, j]))
        expect(found.sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d)).toEqual(expected)
      }),
    )
  })
})

describe('clamping many nodes', () => {
  const factors = clusteredFactors({ n: 400, d: 8, common: 0 })

  test('stores the weights of a moderate number of nodes with negative weights', () => {
    const operator = graphOperator(factors)
    expect(operator.form).toBe('stored')
    expect(operator.pairStats.negativeShare).toBeGreaterThan(0.1)
  })

  test('stops when the negative weights exceed the memory limit', () => {
    expect(negativeEntries(factors, 0)).toBeUndefined()
    expect(negativeEntries(factors, 12 * 1000)).toBeUndefined()
    const { count } = negativeEntries(factors, 1e9)!.entries
    expect(negativeEntries(factors, 24 * count)!.entries.count).toBe(count)
  })

  test('for larger graphs subtracts the negative weights, or keeps them and reports it', () => {
    const many = clusteredFactors({ n: 4100, d: 3, common: 1 })
    const operator = graphOperator(many)
    expect(operator.form).toBe('corrected')
    expect(operator.pairStats.negativeShare).toBeGreaterThan(0)
    const [unclamped, kept] = [graphOperator(many, { memory: 1200 }), graphOperator(many, { negatives: 'keep' })]
    expect([unclamped.form, kept.form]).toEqual(['unclamped', 'implicit'])
    expect(unclamped.startVector).toBeUndefined()
    expect(unclamped.degrees).toEqual(kept.degrees)
    const x = emptyPanel(many.a.rows).map((_, at) => Math.sin(at + 1))
    expect(unclamped.times([x])).toEqual(kept.times([x]))
  })
})

function both(factors: Factors, chosen: Partial<GraphOptions>) {
  const settings = { ...graphDefaults, ...chosen }
  const found = settings.negatives === 'clamp' ? negativeEntries(factors, 1e9) : undefined
  return [implicitWeights(factors, settings, found), storedWeights(factors, settings)] as const
}

const distance = (a: Float64Array, b: Float64Array) =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0)
