/** What is free in the covariance of a component: everything, the variance of every column, or one variance for all columns. */
export type Covariance = 'full' | 'diag' | 'spherical'

/** A fitted Gaussian mixture. */
export interface Mixture {
  readonly covariance: Covariance
  /** Those left: a component that explains less than 1.5 rows is dropped while fitting. */
  readonly components: number
  readonly weights: Float64Array
  /** components x columns */
  readonly means: Float64Array
  /** The chance that a row came from a component: rows x components, summing to 1 in a row. */
  readonly posteriors: Float64Array
  readonly logLikelihood: number
  /** The log-likelihood of every iteration since a component was last dropped: it never falls, but where variances are added to. */
  readonly trace: readonly number[]
  readonly bic: number
  /** No variance in any direction is below it. */
  readonly floor: number
}

/** Why nothing could be fitted. */
export interface Unfit {
  readonly reason: string
}

/** Whether there is a mixture. */
export const isFit = <T extends object>(outcome: T | Unfit): outcome is T => !('reason' in outcome)
