import type { Factors } from './factors.ts'
import { lanes, panelsOf, timesPanels, type Panel, type Rows } from '../kernels.ts'

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
      const above = timesPanels(pickRows(a, block), ofB)
      const below = timesPanels(pickRows(b, block), ofA)
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

function pickRows({ data, columns }: Rows, rows: Uint32Array): Rows {
  const first = rows[0]!
  const last = rows.at(-1)!
  const isContiguous = last - first + 1 === rows.length
  const copy = isContiguous
    ? data.subarray(first * columns, (last + 1) * columns)
    : data.slice(0, rows.length * columns)
  if (!isContiguous) {
    rows.forEach((row, at) => {
      copy.set(data.subarray(row * columns, (row + 1) * columns), at * columns)
    })
  }
  return { data: copy, rows: rows.length, columns }
}

/** The rows from..to as the vectors of panels. */
const stripOf = ({ data, columns }: Rows, from: number, to: number): Panel[] =>
  panelsOf({ data: data.subarray(from * columns, to * columns), rows: to - from, columns })

/** Columns per strip. */
const stripWidth = 64

/** Entries of a sparse symmetric matrix, in the order in which they are added. */
export interface EntryList {
  readonly count: number
  add(i: number, j: number, weight: number): void
  forEach(visit: (i: number, j: number, weight: number) => void): void
  /** Subtracts the products with the panels from `products`. */
  takeOff(panels: readonly Panel[], products: readonly Panel[]): void
}

/** Three numbers of a JavaScript array. */
export const entryBytes = 24

export function entryList(): EntryList {
  const rows: number[] = []
  const columns: number[] = []
  const weights: number[] = []
  return {
    get count() {
      return weights.length
    },
    add(i, j, weight) {
      rows.push(i)
      columns.push(j)
      weights.push(weight)
    },
    forEach(visit) {
      for (let at = 0; at < weights.length; at++) visit(rows[at]!, columns[at]!, weights[at]!)
    },
    takeOff(panels, products) {
      for (const [p, x] of panels.entries()) {
        const y = products[p]!
        for (let at = 0; at < weights.length; at++) {
          const i = rows[at]! * lanes
          const j = columns[at]! * lanes
          const weight = weights[at]!
          for (let v = 0; v < lanes; v++) {
            y[i + v]! -= weight * x[j + v]!
            y[j + v]! -= weight * x[i + v]!
          }
        }
      }
    },
  }
}
