import { expect, test } from 'vitest'
import { clusteredFactors } from '../../test-support/clustered-factors.ts'
import { graphOperator } from './graph-operator.ts'
import { leadingEigenpairs } from './leading-eigenpairs.ts'
import { literalEigenpairs, literalWeights, type LiteralWeights } from './literal.ts'

const pairStats = { asymmetryMax: 0, negativeShare: 0 }
const weights = (rows: readonly (readonly number[])[]): LiteralWeights => ({
  n: rows.length,
  data: Float64Array.from(rows.flat()),
  degrees: Float64Array.from(rows, (row) => row.reduce((sum, one) => sum + one, 0)),
  pairStats,
})

test('of symmetric weights they are those of the symmetric solver', () => {
  const rows = [
    [0, 2, 1],
    [2, 0, 3],
    [1, 3, 0],
  ]
  const { values, vectors, complex, residuals } = literalEigenpairs(weights(rows))
  expect(complex).toEqual([false, false, false])
  expect(values[0]).toBeCloseTo(1, 12)
  // the first vector is that of the square roots of the degrees
  expect([...vectors[0]!].map((x) => x ** 2 * 12)).toEqual(
    [3, 5, 4].map((degree): unknown => expect.closeTo(degree, 10)),
  )
  expect(Math.max(...residuals)).toBeLessThan(1e-12)
})

test('a circle has 1 and a complex pair, which counts once', () => {
  const { values, vectors, complex, residuals } = literalEigenpairs(weights([[0, 1, 0], [0, 0, 1], [1, 0, 0]])) // prettier-ignore
  expect(values).toHaveLength(2)
  expect([...values].map(Math.abs)).toEqual([expect.closeTo(1, 10), expect.closeTo(1, 10)])
  expect(complex.filter(Boolean)).toHaveLength(1)
  for (const vector of vectors) for (const x of vector) expect(Math.abs(x)).toBeCloseTo(1 / Math.sqrt(3), 10)
  expect(Math.max(...residuals)).toBeLessThan(1e-10)
})

test('of factors: the trace is zero, residuals are small, and the symmetric part is near', () => {
  const factors = clusteredFactors({ n: 40, d: 16 })
  const found = literalEigenpairs(literalWeights(factors))
  expect(Math.max(...found.residuals)).toBeLessThan(1e-8)
  const symmetric = leadingEigenpairs(graphOperator(factors), 1)
  expect(found.values[0]).toBeCloseTo(symmetric.values[0]!, 1)
  expect(() => literalWeights(clusteredFactors({ n: 301, d: 4 }))).toThrow(
    'symmetrize: none is solved for up to 300 nodes',
  )
})
