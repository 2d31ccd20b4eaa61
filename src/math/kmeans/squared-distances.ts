import { lanes } from '../wasm/kernels.ts'
import { addTimes, emptyPanel } from '../wasm/products.ts'
import type { Panel, Rows } from '../wasm/panel.ts'

/** The squared length of every row, its terms added in the order of the products below, so that equal rows are 0 apart. */
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
 * |x|² + |y|² - 2xy of every point x and four others y to a panel: entry 4i + v of panel p belongs to point i and to other
 * 4p + v. Entries of others that do not exist are Infinity. `lengths` are the squared lengths of the points.
 */
export function squaredDistances(points: Rows, lengths: Float64Array, others: Rows): Panel[] {
  const columns = panelsOf(others)
  const distances = columns.map(() => emptyPanel(points.rows))
  addTimes(points, columns, distances)
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

/** The rows as columns, four to a panel. */
function panelsOf({ data, rows, columns }: Rows): Panel[] {
  return Array.from({ length: Math.ceil(rows / lanes) }, (_, p) => {
    const panel = emptyPanel(columns)
    for (let row = lanes * p; row < Math.min(rows, lanes * (p + 1)); row++) {
      for (let j = 0; j < columns; j++) panel[lanes * j + row - lanes * p] = data[row * columns + j]!
    }
    return panel
  })
}

/** Some rows as a matrix of their own, in 64 bits. */
export function gatherRows({ data, columns }: Rows, chosen: readonly number[]): Rows & { readonly data: Float64Array } {
  const gathered = new Float64Array(chosen.length * columns)
  for (const [i, row] of chosen.entries()) gathered.set(data.subarray(row * columns, (row + 1) * columns), i * columns)
  return { data: gathered, rows: chosen.length, columns }
}

/** One of the four vectors of a panel, by itself. */
export function columnOf(panel: Panel, lane: number): Float64Array {
  const column = new Float64Array(panel.length / lanes)
  for (let i = 0; i < column.length; i++) column[i] = panel[lanes * i + lane]!
  return column
}
