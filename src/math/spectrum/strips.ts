import type { Factors } from './factors.ts'
import { lanes, panelsOf, timesPanels, type Panel, type Rows } from '../kernels.ts'
import { gatherRows } from '../squared-distances.ts'

/** Visits S_ij and S_ji of a pair i <= j; returns whether to continue. */
type PairVisitor = (i: number, j: number, above: number, below: number) => boolean

/** Rows computed together with a strip of columns. */
const blockRows = 4096

/**
 * Computes every pair i <= j of S once, strip of columns after strip: O(n²d) time, O(n) memory. `candidates` restricts
 * the rows for the columns from..to, ascending. Returns whether all pairs were visited.
 */
export function forEachPair(
  { a, b }: Factors,
  visit: PairVisitor,
  candidates?: (from: number, to: number) => Uint32Array,
): boolean {
  const n = a.rows
  for (let from = 0; from < n; from += stripWidth) {
    const to = Math.min(from + stripWidth, n)
    const ofA = stripOf(a, from, to)
    const ofB = stripOf(b, from, to)
    const rows = candidates?.(from, to) ?? Uint32Array.from({ length: to }, (_, i) => i)
    for (let start = 0; start < rows.length; start += blockRows) {
      const block = rows.subarray(start, start + blockRows)
      const above = timesPanels(gatherRows(a, block), ofB)
      const below = timesPanels(gatherRows(b, block), ofA)
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

/** The rows from..to as the vectors of panels. */
const stripOf = ({ data, columns }: Rows, from: number, to: number): Panel[] =>
  panelsOf({ data: data.subarray(from * columns, to * columns), rows: to - from, columns })

/** Columns per strip. */
const stripWidth = 64
