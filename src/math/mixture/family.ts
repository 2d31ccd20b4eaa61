/**
 * One kind of covariance as an exponential family (Wainwright and Jordan 2008, section 3): the log-density of a row x is
 * constant + linear·x + square·s(x), where s(x) are some of the products of two of its numbers.
 */
export interface Family {
  /** How many products s(x) are. */
  readonly size: (columns: number) => number
  /** Writes s(x). */
  readonly products: (row: Float64Array, into: Float64Array) => void
  /**
   * The likeliest Gaussian of a mean of x and a mean of s(x) with no variance below `floor` in any direction. Undefined when its
   * covariance is not positive definite.
   */
  readonly gaussian: (mean: Float64Array, products: Float64Array, floor: number) => Natural | undefined
}

/** The natural parameters of a Gaussian. */
export interface Natural {
  readonly constant: number
  readonly linear: Float64Array
  readonly square: Float64Array
}

export const logTwoPi = Math.log(2 * Math.PI)

/** Whether a variance or a pivot can be divided by. */
export const isPositive = (value: number): boolean => value > 0 && value < Infinity
