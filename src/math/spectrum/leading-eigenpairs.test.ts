import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clusteredFactors } from '../../test-support/clustered-factors.ts'
import { similarityFactors } from './factors.ts'
import { graphOperator, implicitWeights, normalizeWeights } from './graph-operator.ts'
import { leadingEigenpairs, residualsOf } from './leading-eigenpairs.ts'
import { storedWeights } from './weights.ts'

const numbers = (values: ArrayLike<number>) => Array.from(values)
const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

const graphs = fc.record({
  n: fc.integer({ min: 3, max: 60 }),
  d: fc.integer({ min: 2, max: 16 }),
  common: fc.constantFrom(0, 0.3, 1),
  seed: fc.nat(10_000),
})

test('the spectrum of a clamped graph has trace 0, largest value 1, no magnitude above 1, first vector √degree; Λ is the sum of squares', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const operator = graphOperator(clusteredFactors({ ...graph, bits: 64 }))
      fc.pre(operator.degrees.some((degree) => degree > 0))
      const { values, vectors } = leadingEigenpairs(operator, graph.n)
      expect(Math.abs(values.reduce((sum, value) => sum + value, 0))).toBeLessThan(1e-12)
      expect(values[0]).toBeCloseTo(1, 12)
      expect(Math.max(...values.map(Math.abs))).toBeLessThan(1 + 1e-12)
      expect(operator.squares()).toBeCloseTo(dot(values, values), 11)
      // where 1 is a simple eigenvalue
      if (values[1]! > 1 - 1e-3) return
      const total = operator.degrees.reduce((sum, degree) => sum + degree, 0)
      operator.degrees.forEach((degree, i) => expect(vectors[0]![i]).toBeCloseTo(Math.sqrt(degree / total), 9))
    }),
  )
})

describe('the iterative solver', () => {
  test.each([
    [200, 2, 'magnitude', 1],
    [200, 6, 'magnitude', 0.3],
    [200, 6, 'algebraic', 0],
    [300, 8, 'magnitude', 0],
  ] as const)('n = %i, k = %i, %s: as the dense one', (n, k, order, common) => {
    const operator = graphOperator(clusteredFactors({ n, d: 24, clusters: 9, common, bits: 64 }))
    const dense = leadingEigenpairs(operator, k, { order, solver: 'dense' })
    const iterative = leadingEigenpairs(operator, k, { order, solver: 'iterative' })
    expect(iterative).toMatchObject({ solver: 'iterative', converged: true })
    iterative.values.forEach((value, i) => expect(Math.abs(value - dense.values[i]!)).toBeLessThan(1e-8))
    expect(subspaceAngle(iterative.vectors, dense.vectors)).toBeLessThan(1e-6)
  })

  test('finds eigenvectors outside the span of low-rank factors', () => {
    const operator = normalizeWeights(implicitWeights(clusteredFactors({ n: 400, d: 3, bits: 64 }), 'unclamped'))
    const [dense, iterative] = (['dense', 'iterative'] as const).map((solver) =>
      leadingEigenpairs(operator, 12, { solver, order: 'magnitude' }),
    )
    expect(iterative!.converged).toBe(true)
    iterative!.values.forEach((value, i) => expect(Math.abs(value - dense!.values[i]!)).toBeLessThan(1e-8))
  })

  test('reports true residuals and orthonormal vectors', () => {
    const operator = graphOperator(clusteredFactors({ n: 400, d: 32, clusters: 9 }))
    const { values, vectors, residuals } = leadingEigenpairs(operator, 7)
    residualsOf(operator, values, vectors).forEach((residual, i) => {
      expect(residual).toBeLessThan(1e-8)
      expect(Math.abs(residual - residuals[i]!)).toBeLessThan(1e-12)
    })
    vectors.forEach((x, i) => {
      vectors.forEach((y, j) => expect(dot(x, y)).toBeCloseTo(i === j ? 1 : 0, 12))
    })
  })

  test('converges on a flat spectrum', () => {
    const n = 250
    const matrix = new Float64Array(n * n)
    for (let i = 0; i < n; i++) matrix[i * n + i] = 1 - i / n
    const { values, converged } = leadingEigenpairs(storedWeights(matrix, n), 3, { solver: 'iterative' })
    expect(converged).toBe(true)
    expect(numbers(values).map((value) => Math.round(value * 1e8) / 1e8)).toEqual([1, 0.996, 0.992])
  })

  test('reports no convergence, with residuals, when it stops early', () => {
    const operator = graphOperator(clusteredFactors({ n: 400, d: 32, common: 0 }))
    const { converged, residuals, iterations } = leadingEigenpairs(operator, 5, { passes: 3 })
    expect({ converged, iterations }).toEqual({ converged: false, iterations: 3 })
    expect(Math.max(...residuals)).toBeGreaterThan(1e-8)
  })

  describe('an eigenvalue of multiplicity 14', () => {
    const [n, parts] = [700, 14]
    const matrix = new Float64Array(n * n)
    for (let i = 0; i < n; i++)
      for (let j = i % parts; j < n; j += parts) if (i !== j) matrix[i * n + j] = 1 / (n / parts - 1)

    test.each([2, 4, 5, 6, 9, 12, 14, 16])('has min(k, 14) copies for k = %i', (k) => {
      const { values, solver } = leadingEigenpairs(storedWeights(matrix, n), k)
      expect(solver).toBe('iterative')
      expect(values).toHaveLength(k)
      values.forEach((value, i) => expect(value).toBeCloseTo(i < parts ? 1 : -1 / 49, 10))
    })
  })
})

describe('degenerate graphs', () => {
  const alike = (n: number) => similarityFactors(Array<never[]>(n).fill([]), Array<number[]>(n).fill([1, 2, 3]), 64)

  test.each([
    [1, [0]],
    [2, [1, -1]],
    [3, [1, -0.5, -0.5]],
    [5, [1, -0.25, -0.25, -0.25, -0.25]],
  ])('%i identical nodes', (n, expected) => {
    const { values, vectors, converged } = leadingEigenpairs(graphOperator(alike(n)), n + 3)
    expect(converged).toBe(true)
    expect(vectors).toHaveLength(n)
    values.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 12))
  })

  test('1000 identical nodes: 1 and the multiple eigenvalue -1/999', () => {
    const { values, converged } = leadingEigenpairs(graphOperator(alike(1000)), 10)
    expect(converged).toBe(true)
    values.forEach((value, i) => expect(value).toBeCloseTo(i === 0 ? 1 : -1 / 999, 10))
  })

  test.each([10, 500])('a zero vector and one opposite to all others among %i nodes have zero rows', (n) => {
    const nodes = Array.from({ length: n }, (_, i) => [1, 0.1 * Math.sin(i), 0.1 * Math.cos(i)])
    nodes[3] = [0, 0, 0]
    nodes[5] = [-1, 0, 0]
    const operator = graphOperator(similarityFactors(Array<never[]>(n).fill([]), nodes, 64))
    const { values, vectors, converged } = leadingEigenpairs(operator, 2)
    expect(converged).toBe(true)
    expect([operator.degrees[3], operator.degrees[5]]).toEqual([0, 0])
    expect(values[0]).toBeCloseTo(1, 12)
    expect([vectors[0]![3], vectors[0]![5]].map((value) => Math.abs(value!))).toEqual([
      expect.closeTo(0, 12),
      expect.closeTo(0, 12),
    ])
  })
})

/** The largest angle between the spans, by the parts of one basis outside the other. */
function subspaceAngle(a: readonly Float64Array[], b: readonly Float64Array[]): number {
  const outside = a.map((x) => {
    const rest = x.slice()
    for (const y of b) {
      const along = dot(x, y)
      rest.forEach((_, i) => (rest[i]! -= along * y[i]!))
    }
    return dot(rest, rest)
  })
  // the sine of the angle is no more than the norm of all the parts together
  return Math.asin(Math.min(1, Math.sqrt(outside.reduce((sum, square) => sum + square, 0))))
}
