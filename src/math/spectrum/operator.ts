import { columnOf, emptyPanel, fromPanels, lanes, type Panel } from '../kernels.ts'
import { EigenvalueDecomposition, Matrix } from 'ml-matrix'

/** A real symmetric matrix by its products. */
export interface Operator {
  readonly n: number
  /** The product with every panel. */
  times(panels: readonly Panel[]): Panel[]
  /** A known unit eigenvector, to start the search. */
  readonly startVector?: Float64Array
  /** Four random vectors rich in the leading eigenvectors, cheaper than a product. */
  readonly sketch?: (random: () => number) => Panel
}

/** All n x n entries in rows. */
export function denseOf(operator: Operator): Float64Array {
  const { n } = operator
  const unit = Array.from({ length: Math.ceil(n / lanes) }, () => emptyPanel(n))
  for (let i = 0; i < n; i++) unit[Math.floor(i / lanes)]![lanes * i + (i % lanes)] = 1
  return fromPanels(operator.times(unit), n, n)
}

/** The product with one vector. */
export const multiply = (operator: Operator, x: ArrayLike<number>): Float64Array =>
  columnOf(operator.times([panelOf(x)])[0]!, 0)

/** A panel of one vector and three of zeros. */
export function panelOf(vector: ArrayLike<number>): Panel {
  const panel = emptyPanel(vector.length)
  for (let i = 0; i < vector.length; i++) panel[i * lanes] = vector[i]!
  return panel
}

/** `magnitude`: |λ| falls, as in the paper. `algebraic`: λ falls. */
export type EigenOrder = 'magnitude' | 'algebraic'

/** Relative tolerance of equal magnitudes. */
const tie = 1e-12

/** Indices of the values in order; ties by larger value, then lower index. */
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

/** Relative tolerance of equal entries. */
const sameSize = 1e-6

/** Fixes the sign: the first entry of largest |x| is positive. */
export function canonicalSign(vector: Float64Array): Float64Array {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  const first = vector.find((value) => Math.abs(value) >= largest * (1 - sameSize)) ?? 0
  return first < 0 ? vector.map((value) => -value) : vector
}

/** All eigenpairs of a symmetric row-major n x n matrix, ascending; column i of `vectors` belongs to value i. */
export function symmetricEigenpairs(matrix: Float64Array, n: number): { values: Float64Array; vectors: Float64Array } {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(Matrix.from1DArray(n, n, matrix), {
    assumeSymmetric: true,
  })
  return { values: Float64Array.from(realEigenvalues), vectors: Float64Array.from(eigenvectorMatrix.to1DArray()) }
}
