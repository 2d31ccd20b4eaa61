import fc from 'fast-check'
import { Matrix, solve } from 'ml-matrix'
import { describe, expect, test } from 'vitest'
import { buildGraph, type SparseGraph } from './graph.ts'
import { personalisedPagerank, rankOf, type PagerankOptions } from './pagerank.ts'

type Edge = readonly [from: number, to: number, weight: number]

const graphOf = (nodes: number, list: readonly Edge[], directed = false) =>
  buildGraph(
    nodes,
    { from: list.map(([from]) => from), to: list.map(([, to]) => to), weight: list.map(([, , weight]) => weight) },
    { directed },
  )

const scoresOf = (graph: SparseGraph, reset: readonly number[], options?: PagerankOptions) => [
  ...personalisedPagerank(graph, reset, options).scores,
]

/** p = d·Pᵀp + (d·dangling + 1 - d)·r, solved as a dense system. */
function denseScores({ nodes, offsets, targets, weights, degrees }: SparseGraph, reset: readonly number[], d: number) {
  const total = reset.reduce((a, b) => a + b)
  const system = Matrix.eye(nodes)
  for (let from = 0; from < nodes; from++) {
    for (let k = offsets[from]!; k < offsets[from + 1]! && degrees[from]! > 0; k++) {
      const to = targets[k]!
      system.set(to, from, system.get(to, from) - (d * weights[k]!) / degrees[from]!)
    }
    if (degrees[from]) continue
    for (let to = 0; to < nodes; to++) system.set(to, from, system.get(to, from) - (d * reset[to]!) / total)
  }
  return solve(system, Matrix.columnVector(reset.map((value) => ((1 - d) * value) / total))).to1DArray()
}

const expectClose = (got: readonly number[], expected: readonly number[], tolerance: number) => {
  expect(got).toHaveLength(expected.length)
  got.forEach((value, i) => expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(tolerance))
}

test('unreachable nodes score exactly 0, and a seed without edges keeps its mass', () => {
  const twoPairs = graphOf(5, [
    [0, 1, 1],
    [2, 3, 1],
  ])
  expect(scoresOf(twoPairs, [1, 0, 0, 0, 0]).slice(2)).toEqual([0, 0, 0])
  expect(scoresOf(twoPairs, [0, 0, 0, 0, 7])).toEqual([0, 0, 0, 0, 1])
})

describe('errors', () => {
  const pair = graphOf(2, [[0, 1, 1]])
  test.each<[string, readonly number[], PagerankOptions, string]>([
    ['no seed', [0, 0], {}, 'the resets sum to 0'],
    ['a negative seed', [2, -1], {}, 'the reset of node 1 is -1'],
    ['no number', [NaN, 1], {}, 'the reset of node 0 is NaN'],
    ['a seed without end', [Infinity, 1], {}, 'the resets sum to Infinity'],
    ['too few seeds', [1], {}, '1 resets for 2 nodes'],
    ['damping 1', [1, 0], { damping: 1 }, 'damping 1 is not in [0, 1)'],
    ['negative damping', [1, 0], { damping: -0.5 }, 'damping -0.5'],
    ['tolerance 0', [1, 0], { tolerance: 0 }, 'tolerance 0'],
    ['no sweep', [1, 0], { maxIterations: 0 }, 'maxIterations 0 is below 1'],
  ])('%s', (_, reset, options, message) => {
    expect(() => personalisedPagerank(pair, reset, options)).toThrow(message)
  })
  test('too few sweeps give the current scores with converged = false', () => {
    const { scores, ...few } = personalisedPagerank(pair, [1, 0], { maxIterations: 1 })
    expect(few).toEqual({ iterations: 1, converged: false })
    expect(scores[0]! + scores[1]!).toBeCloseTo(1, 12)
    const { iterations, converged } = personalisedPagerank(pair, [1, 0])
    expect(converged).toBe(true)
    // the limit may be met by the sweep that converges
    expect(personalisedPagerank(pair, [1, 0], { maxIterations: iterations }).converged).toBe(true)
  })
})

const nodes = 8
const someEdges = fc.array(
  fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1), fc.double({ min: 1e-3, max: 1e3, noNaN: true })),
  { maxLength: 24 },
)
const someReset = fc
  .array(fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1, noNaN: true })), {
    minLength: nodes,
    maxLength: nodes,
  })
  .filter((reset) => reset.some((value) => value > 0))
const someDamping = fc.constantFrom(0.1, 0.5, 0.85, 0.95)

test('agrees with the dense solution, with directions and without, and sums to 1', () => {
  fc.assert(
    fc.property(someEdges, someReset, someDamping, fc.boolean(), (list, reset, damping, directed) => {
      const graph = graphOf(nodes, list, directed)
      const scores = scoresOf(graph, reset, { damping })
      expectClose(scores, denseScores(graph, reset, damping), 1e-10)
      expect(scores.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
    }),
    { numRuns: 300 },
  )
})

test('a long path, where mass is slow to spread, stays within the tolerance', () => {
  const path = graphOf(
    200,
    Array.from({ length: 199 }, (_, i): Edge => [i, i + 1, 1]),
  )
  const reset = Array.from({ length: 200 }, (_, i) => (i === 0 ? 1 : 0))
  const exact = denseScores(path, reset, 0.95)
  const off = scoresOf(path, reset, { damping: 0.95 }).reduce((total, p, i) => total + Math.abs(p - exact[i]!), 0)
  expect(off).toBeLessThan(1e-10)
})

test('ranks by descending score, equal ones to 12 decimals in node order', () => {
  expect(rankOf([0.1, 0.4, 0.4, 0.1 + 1e-14, 0])).toEqual([1, 2, 0, 3, 4])
  expect(rankOf(Float64Array.of(0.1, 0.1 + 1e-11))).toEqual([1, 0])
  expect(rankOf([])).toEqual([])
})
