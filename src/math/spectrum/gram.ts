import { emptyPanel, lanes, type Panel, transposeTimes } from '../kernels.ts'

/** FᵀF in rows, columns x columns, where `fill` writes row i of F: O(n columns²) time, and no more memory than a slice of F. */
export function gram(n: number, columns: number, fill: (i: number, row: Float64Array) => void): Float64Array {
  const sum = new Float64Array(columns * columns)
  for (let from = 0; from < n; from += sliceRows) {
    const rows = Math.min(sliceRows, n - from)
    const data = new Float64Array(rows * columns)
    for (let i = 0; i < rows; i++) fill(from + i, data.subarray(i * columns, (i + 1) * columns))
    transposeTimes({ data, rows, columns }, columnPanels(data, rows, columns)).forEach((panel, index) => {
      for (let row = 0; row < columns; row++) {
        for (let v = 0; v < lanes && index * lanes + v < columns; v++) {
          sum[row * columns + index * lanes + v]! += panel[row * lanes + v]!
        }
      }
    })
  }
  return sum
}

const sliceRows = 256

function columnPanels(data: Float64Array, rows: number, columns: number): Panel[] {
  return Array.from({ length: Math.ceil(columns / lanes) }, (_, index) => {
    const panel = emptyPanel(rows)
    for (let i = 0; i < rows; i++) {
      for (let v = 0; v < lanes && index * lanes + v < columns; v++) {
        panel[i * lanes + v] = data[i * columns + index * lanes + v]!
      }
    }
    return panel
  })
}
