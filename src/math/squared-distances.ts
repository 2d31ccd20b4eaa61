import { lanes, panelsOf, timesPanels, type Panel, type Rows } from './kernels.ts'

/** The squared length of every row, its terms added as in the products below, so that equal rows are 0 apart. */
export function squaredLengths({ data, rows, columns }: Rows): Float64Array {
  const lengths = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    let sum = 0
    for (let i = row * columns; i < (row + 1) * columns; i++) sum += data[i]! * data[i]!
    lengths[row] = sum
  }
  return lengths
}

/**
 * |x|² + |y|² - 2xy of every point x and four others y to a panel: entry 4i + v of panel p belongs to point i and to
 * other 4p + v. Entries of others that do not exist are Infinity. `lengths` are the squared lengths of the points.
 */
export function squaredDistances(points: Rows, lengths: Float64Array, others: Rows): Panel[] {
  const distances = timesPanels(points, panelsOf(others))
  const otherLengths = squaredLengths(others)
  for (const [p, panel] of distances.entries()) {
    for (let v = 0; v < lanes; v++) {
      const length = otherLengths[lanes * p + v] ?? Infinity
      for (let i = 0; i < points.rows; i++) {
        panel[lanes * i + v] = Math.max(0, lengths[i]! + length - 2 * panel[lanes * i + v]!)
      }
    }
  }
  return distances
}

/** Some rows as a matrix of their own, in 64 bits. */
export function gatherRows({ data, columns }: Rows, chosen: readonly number[]): Rows & { readonly data: Float64Array } {
  const gathered = new Float64Array(chosen.length * columns)
  for (const [i, row] of chosen.entries()) gathered.set(data.subarray(row * columns, (row + 1) * columns), i * columns)
  return { data: gathered, rows: chosen.length, columns }
}
