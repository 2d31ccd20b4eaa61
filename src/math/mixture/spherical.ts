import { isPositive, logTwoPi, type Family } from './family.ts'
import { log } from '../portable.ts'

/** One variance for all columns: s(x) is the squared length. */
export const spherical: Family = {
  size: () => 1,
  products(row, into) {
    into[0] = squaredLength(row)
  },
  gaussian(means, columns, { floor, added }) {
    const mean = means.subarray(1, 1 + columns)
    const length = squaredLength(mean)
    const variance = Math.max((means[1 + columns]! - length) / Math.max(1, columns), floor) + added
    if (!isPositive(variance)) return undefined
    const constant = -(columns * (logTwoPi + log(variance)) + length / variance) / 2
    return Float64Array.of(constant, ...mean.map((value) => value / variance), -1 / (2 * variance))
  },
}

const squaredLength = (vector: Float64Array): number => vector.reduce((sum, value) => sum + value * value, 0)
