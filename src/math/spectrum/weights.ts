import { timesPanels, type Panel } from '../kernels.ts'
import type { Factors } from './factors.ts'
import { forEachPair } from './strips.ts'

/**
 * The symmetric weights W of an undirected graph of n nodes without self-loops: the mean of S and Sᵀ, negative ones 0
 * (our reading; the paper leaves S as it is).
 */
export interface Weights {
  readonly n: number
  /**
   * `stored`: n x n numbers. `implicit`: the factors alone. `unclamped`: likewise, with negative weights as they are,
   * since the clamped ones would take too much memory.
   */
  readonly form: 'stored' | 'implicit' | 'unclamped'
  /** W X for every panel. */
  times(panels: readonly Panel[]): Panel[]
  /** Random combinations of a factor's columns, a cheap substitute for a product with W. */
  readonly sketch?: (random: () => number) => Panel
  /** Sum of (scale_i W_ij scale_j)² over all i and j. */
  squares(scale: Float64Array): number
}

/** Up to here the matrix is built and solved densely. */
export const fewNodes = 300

/** Given weights, row-major. */
export function storedWeights(data: Float64Array, n: number): Weights {
  return {
    n,
    form: 'stored',
    times: (panels) => timesPanels({ data, rows: n, columns: n }, panels),
    squares(scale) {
      let sum = 0
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) sum += (scale[i]! * data[i * n + j]! * scale[j]!) ** 2
      }
      return sum
    },
  }
}

/** All weights of the factors, row-major. */
export function clampedWeights(factors: Factors): Float64Array {
  const n = factors.a.rows
  const data = new Float64Array(n * n)
  forEachPair(factors, (i, j, above, below) => {
    if (i !== j) data[i * n + j] = data[j * n + i] = Math.max((above + below) / 2, 0)
    return true
  })
  return data
}
