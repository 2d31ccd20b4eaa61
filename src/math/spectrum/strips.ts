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

/** Entries of a sparse symmetric matrix, in the order in which they are added, 16 bytes per entry. */
export interface EntryList {
  readonly count: number
  add(i: number, j: number, weight: number): void
  forEach(visit: (i: number, j: number, weight: number) => void): void
  /** Subtracts the products with the panels from `products`. */
  takeOff(panels: readonly Panel[], products: readonly Panel[]): void
}

export const entryBytes = 16

/** Entries that are allocated together. */
const chunkSize = 2 ** 14

interface Chunk {
  readonly rows: Uint32Array
  readonly columns: Uint32Array
  readonly weights: Float64Array
}

export function entryList(): EntryList {
  const chunks: Chunk[] = []
  let count = 0
  const lengthOf = (chunk: number): number => Math.min(chunkSize, count - chunk * chunkSize)
  return {
    get count() {
      return count
    },
    add(i, j, weight) {
      const at = count++ % chunkSize
      if (at === 0)
        chunks.push({
          rows: new Uint32Array(chunkSize),
          columns: new Uint32Array(chunkSize),
          weights: new Float64Array(chunkSize),
        })
      const { rows, columns, weights } = chunks.at(-1)!
      rows[at] = i
      columns[at] = j
      weights[at] = weight
    },
    forEach(visit) {
      for (const [index, { rows, columns, weights }] of chunks.entries())
        for (let at = 0; at < lengthOf(index); at++) visit(rows[at]!, columns[at]!, weights[at]!)
    },
    takeOff(panels, products) {
      for (const [p, x] of panels.entries())
        for (const [index, chunk] of chunks.entries()) takeOffChunk(chunk, lengthOf(index), x, products[p]!)
    },
  }
}

function takeOffChunk({ rows, columns, weights }: Chunk, length: number, x: Panel, y: Panel): void {
  for (let at = 0; at < length; at++) {
    const i = rows[at]! * lanes
    const j = columns[at]! * lanes
    const weight = weights[at]!
    for (let v = 0; v < lanes; v++) {
      y[i + v]! -= weight * x[j + v]!
      y[j + v]! -= weight * x[i + v]!
    }
  }
}
