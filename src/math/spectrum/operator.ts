import { columnOf, emptyPanel, lanes, timesPanels, type Panel } from '../kernels.ts'
import { EigenvalueDecomposition, Matrix } from 'ml-matrix'

/** A real symmetric matrix that can be multiplied. */
export interface Operator {
  readonly n: number
  /** The product with every panel. */
  times(panels: readonly Panel[]): Panel[]
  /** All n x n entries in rows. */
  dense(): Float64Array
  /** A unit eigenvector known beforehand; a start for the search. */
  readonly known?: Float64Array
  /** Four random vectors in which the leading eigenvectors are strong, for less than a product. */
  sketch?(random: () => number): Panel
}

/** A symmetric matrix given by all its entries, in rows. */
export function denseOperator(given: Float64Array | Float32Array, n: number): Operator {
  const data = new Float64Array(n * n)
  data.set(given)
  return {
    n,
    times: (panels) => timesPanels({ data, rows: n, columns: n }, panels),
    dense: () => Float64Array.from(data),
  }
}

/** The product with one vector. */
export function multiply(operator: Operator, x: ArrayLike<number>): Float64Array {
  const panel = emptyPanel(operator.n)
  for (let i = 0; i < operator.n; i++) panel[i * lanes] = x[i]!
  const [product] = operator.times([panel])
  return columnOf(product!, 0)
}

/** `magnitude`: |λ| falls, as in the paper. `algebraic`: λ falls. */
export type EigenOrder = 'magnitude' | 'algebraic'

/** Magnitudes nearer than this, of the largest, are one: 1 and -1 come out of a solver with an error. */
const tie = 1e-12

/** Indices of the values in order; of equal magnitudes the larger value comes first, of equal values the lower. */
export function eigenOrder(values: ArrayLike<number>, order: EigenOrder): number[] {
  const indices = Array.from({ length: values.length }, (_, i) => i)
  const falling = (a: number, b: number) => values[b]! - values[a]! || a - b
  if (order === 'algebraic') return indices.sort(falling)
  const magnitude = (i: number) => Math.abs(values[i]!)
  indices.sort((a, b) => magnitude(b) - magnitude(a) || a - b)
  const width = tie * (indices.length > 0 ? magnitude(indices[0]!) : 0)
  const groups: number[][] = []
  for (const index of indices) {
    const last = groups.at(-1)
    if (last && magnitude(last.at(-1)!) - magnitude(index) <= width) last.push(index)
    else groups.push([index])
  }
  return groups.flatMap((group) => group.sort(falling))
}

/** Entries nearer than this to the largest, as a part of it, are as large. */
const sameSize = 1e-6

/** The vector or its opposite: of the entries of largest |x| the one of lowest index is positive. */
export function canonicalSign(vector: Float64Array): Float64Array {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  const first = vector.find((value) => Math.abs(value) >= largest * (1 - sameSize)) ?? 0
  return first < 0 ? vector.map((value) => -value) : vector
}

/** All eigenpairs of a symmetric matrix, n x n in rows; values rise, and column i of `vectors` belongs to value i. */
export function symmetricEigenpairs(matrix: Float64Array, n: number): { values: Float64Array; vectors: Float64Array } {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(Matrix.from1DArray(n, n, matrix), {
    assumeSymmetric: true,
  })
  return { values: Float64Array.from(realEigenvalues), vectors: Float64Array.from(eigenvectorMatrix.to1DArray()) }
}
