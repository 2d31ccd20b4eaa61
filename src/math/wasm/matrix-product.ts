import { addTimes, emptyPanel } from './products.ts'
import type { Panel } from './panel.ts'

import { lanes } from './kernels.ts'

/** The product of a (rows x inner) and b (inner x columns), row after row, in float64. */
export function product(a: Float64Array, b: Float64Array, rows: number, inner: number, columns: number): Float64Array {
  const into = Array.from({ length: Math.ceil(columns / lanes) }, () => emptyPanel(rows))
  addTimes({ data: a, rows, columns: inner }, panelsOf(b, inner, columns), into)
  const result = new Float64Array(rows * columns)
  into.forEach((panel, place) => {
    const left = place * lanes
    const width = Math.min(lanes, columns - left)
    for (let row = 0; row < rows; row++)
      for (let lane = 0; lane < width; lane++) result[row * columns + left + lane] = panel[row * lanes + lane]!
  })
  return result
}

/** The columns of a matrix, four to a panel; what fills up the last one is 0. */
function panelsOf(matrix: Float64Array, rows: number, columns: number): Panel[] {
  return Array.from({ length: Math.ceil(columns / lanes) }, (_, place) => {
    const panel = emptyPanel(rows)
    const left = place * lanes
    const width = Math.min(lanes, columns - left)
    for (let row = 0; row < rows; row++)
      for (let lane = 0; lane < width; lane++) panel[row * lanes + lane] = matrix[row * columns + left + lane]!
    return panel
  })
}

/** The transpose of a matrix of so many rows and columns. */
export function transposed(matrix: Float64Array, rows: number, columns: number): Float64Array {
  const result = new Float64Array(matrix.length)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) result[column * rows + row] = matrix[row * columns + column]!
  return result
}
