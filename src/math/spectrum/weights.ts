import { timesPanels, type Panel } from '../kernels.ts'
import type { Factors } from './factors.ts'
import { forEachPair } from './strips.ts'

/** The symmetric weights W of a graph with n nodes, stored or not. */
export interface Weights {
  readonly n: number
  /**
   * `stored`: n x n numbers. `implicit`: the factors alone. `corrected`: the factors minus the negative entries.
   * `unclamped`: the factors alone, since a list of the negative entries would exceed the memory limit.
   */
  readonly form: 'stored' | 'implicit' | 'corrected' | 'unclamped'
  /** Whether all weights are certainly non-negative, so that L's largest |λ| is 1. */
  readonly nonNegative: boolean
  readonly pairStats: PairStats
  /** W X for every panel. */
  times(panels: readonly Panel[]): Panel[]
  /** Random combinations of a factor's columns, a cheap substitute for a product with W. */
  sketch?(random: () => number): Panel
  /** Sum of (scale_i W_ij scale_j)² over all i and j. */
  squares(scale: Float64Array): number
  /** W in rows, n x n. */
  dense(): Float64Array
}

/** Statistics of the pairs i < j; null where not every pair was computed. */
export interface PairStats {
  /** max |S_ij - S_ji|. */
  readonly asymmetryMax: number | null
  /** Share of the pairs whose weight is negative before `negatives` is applied. */
  readonly negativeShare: number | null
}

/** How S becomes the weights W of an undirected graph without self-loops (our reading; the paper leaves S as it is). */
export interface GraphOptions {
  /** W_ij from S_ij and S_ji: their mean, the larger or the smaller one. */
  readonly symmetrize: 'mean' | 'max' | 'min'
  /** `clamp`: negative weights are 0. `keep`: as they are. */
  readonly negatives: 'clamp' | 'keep'
  /** Memory limit of stored weights, in bytes. */
  readonly memory: number
}

export const graphDefaults: GraphOptions = { symmetrize: 'mean', negatives: 'clamp', memory: 2 ** 30 }

/** Up to here the matrix is built and solved densely. */
export const fewNodes = 300

/** W as a dense float64 matrix. */
export function storedWeights(factors: Factors, options: GraphOptions): Weights {
  const n = factors.a.rows
  const { data, pairStats } = denseWeights(factors, options)
  const matrix = { data, rows: n, columns: n }
  return {
    n,
    form: 'stored',
    nonNegative: data.every((weight) => weight >= 0),
    pairStats,
    times: (panels) => timesPanels(matrix, panels),
    squares(scale) {
      let sum = 0
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) sum += (scale[i]! * data[i * n + j]! * scale[j]!) ** 2
      }
      return sum
    },
    dense: () => data.slice(),
  }
}

/** W, row-major, and the statistics of its pairs. */
export function denseWeights(factors: Factors, options: GraphOptions): { data: Float64Array; pairStats: PairStats } {
  const n = factors.a.rows
  const data = new Float64Array(n * n)
  const join = symmetrizers[options.symmetrize]
  let asymmetryMax = 0
  let negativeCount = 0
  forEachPair(factors, (i, j, above, below) => {
    if (i === j) return true
    asymmetryMax = Math.max(asymmetryMax, Math.abs(above - below))
    const weight = join(above, below)
    if (weight < 0) negativeCount++
    data[i * n + j] = data[j * n + i] = options.negatives === 'clamp' ? Math.max(weight, 0) : weight
    return true
  })
  return { data, pairStats: { asymmetryMax, negativeShare: negativeCount / Math.max(1, (n * (n - 1)) / 2) } }
}

/** A weight from the two entries of S, above and below the diagonal. */
const symmetrizers: Readonly<Record<GraphOptions['symmetrize'], (above: number, below: number) => number>> = {
  mean: (above, below) => (above + below) / 2,
  max: Math.max,
  min: Math.min,
}
