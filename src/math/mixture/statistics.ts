import type { Family } from './family.ts'
import type { Rows } from '../kernels.ts'

/** Rows about their common mean, in 64 bits: squares lose nothing to a far origin. */
export interface Points extends Rows {
  readonly data: Float64Array
  readonly centre: Float64Array
  /** The variance of a column, on average. */
  readonly meanVariance: number
}

/** Moves the mean of the rows to the origin. */
export function centred({ data, rows, columns }: Rows): Points {
  const centre = new Float64Array(columns)
  for (let i = 0; i < data.length; i++) centre[i % columns]! += data[i]! / rows
  const moved = Float64Array.from(data, (value, i) => value - centre[i % columns]!)
  const squares = moved.reduce((sum, value) => sum + value * value, 0)
  return { data: moved, rows, columns, centre, meanVariance: squares / Math.max(1, moved.length) }
}

/** All that EM needs to know of the points: a 1, the row and its products s(x), row after row. */
export interface Statistics {
  readonly family: Family
  readonly dimensions: number
  readonly table: Rows
}

/** The statistics of some points. */
export function statisticsOf({ data, rows, columns }: Points, family: Family): Statistics {
  const width = 1 + columns + family.size(columns)
  const table = new Float64Array(rows * width)
  for (let row = 0; row < rows; row++) {
    const point = data.subarray(row * columns, (row + 1) * columns)
    table[row * width] = 1
    table.set(point, row * width + 1)
    family.products(point, table.subarray(row * width + 1 + columns, (row + 1) * width))
  }
  return { family, dimensions: columns, table: { data: table, rows, columns: width } }
}
