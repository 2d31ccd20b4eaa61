import { addTimes, emptyPanel, lanes, type Panel } from '../kernels.ts'

/** A real symmetric matrix that can be multiplied. */
export interface Operator {
  readonly n: number
  /** The product with every panel. */
  times(panels: readonly Panel[]): Panel[]
  /** All n x n entries in rows. */
  dense(): Float64Array
  /** A unit eigenvector known beforehand; a start for the search. */
  readonly known?: Float64Array
  /** Four random vectors in which the leading eigenvectors are strong, for less than a product; a start for the search. */
  sketch?(random: () => number): Panel
}

/** A symmetric matrix given by all its entries, in rows. */
export function denseOperator(given: Float64Array | Float32Array, n: number): Operator {
  const data = new Float64Array(n * n)
  data.set(given)
  return {
    n,
    times(panels) {
      const products = panels.map(() => emptyPanel(n))
      addTimes({ data, rows: n, columns: n }, panels, products)
      return products
    },
    dense: () => Float64Array.from(data),
  }
}

/** The product with one vector. */
export function multiply(operator: Operator, x: ArrayLike<number>): Float64Array {
  const panel = emptyPanel(operator.n)
  for (let i = 0; i < operator.n; i++) panel[i * lanes] = x[i]!
  const [product] = operator.times([panel])
  return Float64Array.from({ length: operator.n }, (_, i) => product![i * lanes]!)
}
