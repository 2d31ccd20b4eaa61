export interface LeidenOptions {
  /** A stream of numbers in [0, 1), which alone decides what is left to chance. */
  readonly random: () => number
  /** γ: higher, more and smaller communities. */
  readonly resolution?: number
  /** θ, in the unit of the weights: how readily the refinement takes less than the best. */
  readonly randomness?: number
  /** Runs of the algorithm, each from the division before, at most; it ends earlier where a run gains nothing. */
  readonly iterations?: number
}
