import { isPositive, logTwoPi, type Family } from './family.ts'

/** A variance for every column: s(x) are the squares. */
export const diagonal: Family = {
  size: (columns) => columns,
  products(row, into) {
    for (let j = 0; j < row.length; j++) into[j] = row[j]! ** 2
  },
  gaussian(mean, products, floor) {
    const variances = products.map((square, j) => Math.max(square - mean[j]! ** 2, floor))
    if (!variances.every(isPositive)) return undefined
    let constant = 0
    for (let j = 0; j < mean.length; j++) {
      constant -= (logTwoPi + Math.log(variances[j]!) + mean[j]! ** 2 / variances[j]!) / 2
    }
    return {
      constant,
      linear: mean.map((value, j) => value / variances[j]!),
      square: variances.map((variance) => -1 / (2 * variance)),
    }
  },
}
