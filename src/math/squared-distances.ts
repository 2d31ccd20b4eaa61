import { type Float64Rows, lanes, panelsOf, timesPanels, type Panel, type Rows } from './kernels.ts'

/** Squared row lengths, summed in the order of the kernels, so that equal rows have distance 0. */
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
 * |x|² + |y|² - 2xy of points x and queries y: entry 4i + v of panel p is for point i and query 4p + v; padding is
 * Infinity. `lengths`: squared lengths of the points.
 */
export function squaredDistances(points: Rows, lengths: Float64Array, queries: Rows): Panel[] {
  const distances = timesPanels(points, panelsOf(queries))
  const queryLengths = squaredLengths(queries)
  for (const [p, panel] of distances.entries()) {
    for (let v = 0; v < lanes; v++) {
      const length = queryLengths[lanes * p + v] ?? Infinity
      for (let i = 0; i < points.rows; i++) {
        panel[lanes * i + v] = Math.max(0, lengths[i]! + length - 2 * panel[lanes * i + v]!)
      }
    }
  }
  return distances
}

/** Selected rows as a matrix in float64. */
export function gatherRows({ data, columns }: Rows, indices: readonly number[] | Uint32Array): Float64Rows {
  const copy = new Float64Array(indices.length * columns)
  for (const [i, row] of indices.entries()) copy.set(data.subarray(row * columns, (row + 1) * columns), i * columns)
  return { data: copy, rows: indices.length, columns }
}
