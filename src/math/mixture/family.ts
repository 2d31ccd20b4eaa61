import { log } from '../portable.ts'
import { symmetricEigenpairs } from '../spectrum/operator.ts'

/**
 * One kind of covariance as an exponential family (Wainwright and Jordan 2008, section 3): the log-density of a row x
 * is the product of some natural parameters with the statistics of x: 1, the row itself, and s(x), some products of two
 * of its numbers.
 */
export interface Family {
  /** Length of s(x). */
  readonly size: (columns: number) => number
  /** Writes s(x). */
  readonly products: (row: Float64Array, into: Float64Array) => void
  /**
   * The natural parameters, in the order of the statistics, of the maximum-likelihood Gaussian for these mean
   * statistics, regularised. Undefined when its covariance is not positive definite.
   */
  readonly gaussian: (means: Float64Array, columns: number, regularisation: Regularisation) => Float64Array | undefined
}

/** Keeps variances above 0: no eigenvalue is below `floor`, then `ridge` is added to the diagonal. */
export interface Regularisation {
  readonly floor: number
  readonly ridge: number
}

const logTwoPi = log(2 * Math.PI)

/** Whether a variance or a pivot can be divided by. */
const isPositive = (value: number): boolean => value > 0 && value < Infinity

/** A variance for every column: s(x) are the squares. */
export const diagonal: Family = {
  size: (columns) => columns,
  products(row, into) {
    for (let j = 0; j < row.length; j++) into[j] = row[j]! ** 2
  },
  gaussian(means, columns, { floor, ridge }) {
    const natural = new Float64Array(means.length)
    let constant = 0
    for (let j = 1; j <= columns; j++) {
      const mean = means[j]!
      const variance = Math.max(means[columns + j]! - mean * mean, floor) + ridge
      if (!isPositive(variance)) return undefined
      constant -= (logTwoPi + log(variance) + (mean * mean) / variance) / 2
      natural[j] = mean / variance
      natural[columns + j] = -1 / (2 * variance)
    }
    natural[0] = constant
    return natural
  },
}

/** One variance for all columns: s(x) is the squared length. */
export const spherical: Family = {
  size: () => 1,
  products(row, into) {
    into[0] = squaredLength(row)
  },
  gaussian(means, columns, { floor, ridge }) {
    const mean = means.subarray(1, 1 + columns)
    const length = squaredLength(mean)
    const variance = Math.max((means[1 + columns]! - length) / Math.max(1, columns), floor) + ridge
    if (!isPositive(variance)) return undefined
    const constant = -(columns * (logTwoPi + log(variance)) + length / variance) / 2
    return Float64Array.of(constant, ...mean.map((value) => value / variance), -1 / (2 * variance))
  },
}

const squaredLength = (vector: Float64Array): number => vector.reduce((sum, value) => sum + value * value, 0)

/** Any covariance: s(x) are the products of two columns, the lower triangle row after row. */
export const full: Family = {
  size: (columns) => (columns * (columns + 1)) / 2,
  products(row, into) {
    eachPair(row.length, (j, l, at) => (into[at] = row[j]! * row[l]!))
  },
  gaussian(means, columns, { floor, ridge }) {
    const covariance = new Float64Array(columns * columns)
    eachPair(columns, (j, l, at) => {
      covariance[j * columns + l] = covariance[l * columns + j] =
        means[1 + columns + at]! - means[1 + j]! * means[1 + l]!
    })
    if (!covariance.every(Number.isFinite)) return undefined
    if (floor > 0) raiseTo(floor, covariance, columns)
    for (let j = 0; j < columns; j++) covariance[j * (columns + 1)]! += ridge
    if (!factorise(covariance, columns)) return undefined
    invert(covariance, columns)
    return natural(covariance, means, columns)
  },
}

/** From the inverse of the Cholesky factor of the covariance. */
function natural(inverse: Float64Array, means: Float64Array, columns: number): Float64Array {
  const natural = new Float64Array(means.length)
  eachPair(columns, (j, l, at) => {
    let precision = 0
    for (let m = j; m < columns; m++) precision += inverse[m * columns + j]! * inverse[m * columns + l]!
    natural[1 + columns + at] = j === l ? -precision / 2 : -precision
    natural[1 + j]! += precision * means[1 + l]!
    if (j !== l) natural[1 + l]! += precision * means[1 + j]!
  })
  let constant = 0
  for (let j = 0; j < columns; j++) {
    constant += log(inverse[j * (columns + 1)]!) - (logTwoPi + natural[1 + j]! * means[1 + j]!) / 2
  }
  natural[0] = constant
  return natural
}

/** Raises eigenvalues below the floor to it, in place. */
function raiseTo(floor: number, covariance: Float64Array, columns: number): void {
  const less = covariance.slice()
  for (let j = 0; j < columns; j++) less[j * (columns + 1)]! -= floor
  if (factorise(less, columns)) return
  const { values, vectors } = symmetricEigenpairs(covariance, columns)
  for (let v = 0; v < columns; v++) {
    const missing = Math.max(0, floor - values[v]!)
    for (let j = 0; j < columns; j++) {
      const part = missing * vectors[j * columns + v]!
      for (let l = 0; l < columns; l++) covariance[j * columns + l]! += part * vectors[l * columns + v]!
    }
  }
}

/** Cholesky, in place in the lower triangle; false at a pivot that is not positive. */
function factorise(matrix: Float64Array, columns: number): boolean {
  for (let j = 0; j < columns; j++) {
    for (let l = 0; l <= j; l++) {
      let sum = matrix[j * columns + l]!
      for (let m = 0; m < l; m++) sum -= matrix[j * columns + m]! * matrix[l * columns + m]!
      if (l < j) matrix[j * columns + l] = sum / matrix[l * (columns + 1)]!
      else if (isPositive(sum)) matrix[j * (columns + 1)] = Math.sqrt(sum)
      else return false
    }
  }
  return true
}

/** The inverse of a lower triangle, in place: column after column, each from the diagonal down. */
function invert(matrix: Float64Array, columns: number): void {
  for (let j = 0; j < columns; j++) {
    matrix[j * (columns + 1)] = 1 / matrix[j * (columns + 1)]!
    for (let row = j + 1; row < columns; row++) {
      let sum = 0
      for (let m = j; m < row; m++) sum += matrix[row * columns + m]! * matrix[m * columns + j]!
      matrix[row * columns + j] = -sum / matrix[row * (columns + 1)]!
    }
  }
}

function eachPair(columns: number, visit: (j: number, l: number, at: number) => void): void {
  let at = 0
  for (let j = 0; j < columns; j++) for (let l = 0; l <= j; l++) visit(j, l, at++)
}
