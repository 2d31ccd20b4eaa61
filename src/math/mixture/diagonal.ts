import { isPositive, logTwoPi, type Family } from './family.ts'
import { log } from '../portable.ts'

/** A variance for every column: s(x) are the squares. */
export const diagonal: Family = {
  size: (columns) => columns,
  products(row, into) {
    for (let j = 0; j < row.length; j++) into[j] = row[j]! ** 2
  },
  gaussian(means, columns, { floor, added }) {
    const natural = new Float64Array(means.length)
    let constant = 0
    for (let j = 1; j <= columns; j++) {
      const mean = means[j]!
      const variance = Math.max(means[columns + j]! - mean * mean, floor) + added
      if (!isPositive(variance)) return undefined
      constant -= (logTwoPi + log(variance) + (mean * mean) / variance) / 2
      natural[j] = mean / variance
      natural[columns + j] = -1 / (2 * variance)
    }
    natural[0] = constant
    return natural
  },
}
