import type { Panel } from '../kernels.ts'

/** The symmetric weights W of a graph with n nodes, stored or not. */
export interface Weights {
  readonly n: number
  /**
   * `stored`: n x n numbers. `implicit`: the factors alone. `corrected`: the factors, and the negative entries that are taken off.
   * `unclamped`: the factors alone, with negative entries that were to be taken off and are kept, because a list of them takes too much memory.
   */
  readonly form: 'stored' | 'implicit' | 'corrected' | 'unclamped'
  /** W_ii. */
  readonly diagonal: Float64Array
  /** Whether no weight is negative for certain, so that 1 is the largest eigenvalue of L in magnitude. */
  readonly nonNegative: boolean
  readonly pairStats: PairStats
  /** W X for every panel. */
  times(panels: readonly Panel[]): Panel[]
  /** Random combinations of columns of a factor, which as good as multiplies them with W, for less. */
  sketch?(random: () => number): Panel
  /** Sum of (scale_i W_ij scale_j)² over all i and j. */
  squares(scale: Float64Array): number
  /** W in rows, n x n. */
  dense(): Float64Array
}

/** What was seen of the pairs i < j; null where not every pair had to be computed. */
export interface PairStats {
  /** max |S_ij - S_ji|. */
  readonly asymmetryMax: number | null
  /** Share of the pairs whose weight is negative before `negatives` is applied. */
  readonly negativeShare: number | null
}
