import { isPositive, logTwoPi, type Family } from './family.ts'

/** One variance for all columns: s(x) is the squared length. */
export const spherical: Family = {
  size: () => 1,
  products(row, into) {
    into[0] = squaredLength(row)
  },
  gaussian(mean, products, floor) {
    const columns = mean.length
    const length = squaredLength(mean)
    const variance = Math.max((products[0]! - length) / Math.max(1, columns), floor)
    if (!isPositive(variance)) return undefined
    return {
      constant: -(columns * (logTwoPi + Math.log(variance)) + length / variance) / 2,
      linear: mean.map((value) => value / variance),
      square: Float64Array.of(-1 / (2 * variance)),
    }
  },
}

const squaredLength = (vector: Float64Array): number => vector.reduce((sum, value) => sum + value * value, 0)
