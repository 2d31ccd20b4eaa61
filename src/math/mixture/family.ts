import { log } from '../portable.ts'

/**
 * One kind of covariance as an exponential family (Wainwright and Jordan 2008, section 3): the log-density of a row x is the
 * product of some natural parameters with the statistics of x: 1, the row itself, and s(x), some products of two of its numbers.
 */
export interface Family {
  /** How many products s(x) are. */
  readonly size: (columns: number) => number
  /** Writes s(x). */
  readonly products: (row: Float64Array, into: Float64Array) => void
  /**
   * The natural parameters, in the order of the statistics, of the likeliest Gaussian of rows whose statistics have these means, its
   * variances made larger. Undefined when its covariance is not positive definite.
   */
  readonly gaussian: (means: Float64Array, columns: number, larger: Larger) => Float64Array | undefined
}

/** How variances are kept from 0: none is below `floor` in any direction, and then `added` is added to those of the columns. */
export interface Larger {
  readonly floor: number
  readonly added: number
}

export const logTwoPi = log(2 * Math.PI)

/** Whether a variance or a pivot can be divided by. */
export const isPositive = (value: number): boolean => value > 0 && value < Infinity
