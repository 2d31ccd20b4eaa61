import { stripWidth } from './entry-list.ts'
import type { Factors } from './factors.ts'
import { addTimes, emptyPanel, lanes, type Panel, type Rows } from '../kernels.ts'

/** Sees S_ij and S_ji of a pair i <= j, and says whether to go on. */
export type PairVisitor = (i: number, j: number, above: number, below: number) => boolean

/** Rows computed together with a strip of columns. */
const blockRows = 4096

/**
 * Computes every pair i <= j of S once, strip of columns after strip: O(n²d) time, O(n) memory. `candidates` names, in rising order,
 * the only rows that matter to the columns from..to. Says whether the visitor went on to the end.
 */
export function forEachPair(
  { a, b }: Factors,
  visit: PairVisitor,
  candidates?: (from: number, to: number) => Uint32Array,
): boolean {
  const n = a.rows
  for (let from = 0; from < n; from += stripWidth) {
    const to = Math.min(from + stripWidth, n)
    const [ofA, ofB] = [transposed(a, from, to), transposed(b, from, to)]
    const rows = candidates?.(from, to) ?? Uint32Array.from({ length: to }, (_, i) => i)
    for (let start = 0; start < rows.length; start += blockRows) {
      const block = rows.subarray(start, start + blockRows)
      const above = productsOf(picked(a, block), ofB)
      const below = productsOf(picked(b, block), ofA)
      for (let at = 0; at < block.length; at++) {
        const i = block[at]!
        for (let j = Math.max(i, from); j < to; j++) {
          const panel = Math.floor((j - from) / lanes)
          const entry = at * lanes + ((j - from) % lanes)
          if (!visit(i, j, above[panel]![entry]!, below[panel]![entry]!)) return false
        }
      }
    }
  }
  return true
}

function productsOf(rows: Rows, panels: readonly Panel[]): Panel[] {
  const products = panels.map(() => emptyPanel(rows.rows))
  addTimes(rows, panels, products)
  return products
}

function picked({ data, columns }: Rows, rows: Uint32Array): Rows {
  const [first, last] = [rows[0]!, rows.at(-1)!]
  const together = last - first + 1 === rows.length
  const copy = together ? data.subarray(first * columns, (last + 1) * columns) : data.slice(0, rows.length * columns)
  if (!together) {
    rows.forEach((row, at) => {
      copy.set(data.subarray(row * columns, (row + 1) * columns), at * columns)
    })
  }
  return { data: copy, rows: rows.length, columns }
}

/** The rows from..to as the vectors of panels. */
function transposed({ data, columns }: Rows, from: number, to: number): Panel[] {
  return Array.from({ length: Math.ceil((to - from) / lanes) }, (_, index) => {
    const first = from + index * lanes
    const panel = emptyPanel(columns)
    for (let row = first; row < Math.min(first + lanes, to); row++) {
      for (let c = 0; c < columns; c++) panel[c * lanes + row - first] = data[row * columns + c]!
    }
    return panel
  })
}
