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
    const [ofA, ofB] = [stripOf(a, from, to), stripOf(b, from, to)]
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
  const [first, last] = [rows[0]!, rows.at(-1)!]
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

/** Columns per strip: a place is packed as row · width + column within the strip. */
const stripWidth = 64

/** Entries of a sparse symmetric matrix in strips of columns, 12 bytes per entry. */
export interface EntryList {
  readonly count: number
  add(i: number, j: number, weight: number): void
  forEach(visit: (i: number, j: number, weight: number) => void): void
  /** Subtracts the products with the panels from `products`. */
  takeOff(panels: readonly Panel[], products: readonly Panel[]): void
}

export const entryBytes = 12

export function entryList(n: number): EntryList {
  const strips = Array.from({ length: Math.ceil(n / stripWidth) }, (_, index) => emptyStrip(index * stripWidth))
  let count = 0
  return {
    get count() {
      return count
    },
    add(i, j, weight) {
      append(strips[Math.floor(j / stripWidth)]!, i * stripWidth + (j % stripWidth), weight)
      count++
    },
    forEach(visit) {
      for (const { from, places, weights, length } of strips) {
        for (let at = 0; at < length; at++) visit(rowOf(places[at]!), from + columnOf(places[at]!), weights[at]!)
      }
    },
    takeOff(panels, products) {
      panels.forEach((x, index) => {
        for (const strip of strips) takeOffStrip(strip, x, products[index]!)
      })
    },
  }
}

interface Strip {
  readonly from: number
  places: Uint32Array
  weights: Float64Array
  length: number
}

const emptyStrip = (from: number): Strip => ({
  from,
  places: new Uint32Array(0),
  weights: new Float64Array(0),
  length: 0,
})
const rowOf = (place: number): number => Math.floor(place / stripWidth)
const columnOf = (place: number): number => place % stripWidth

function append(strip: Strip, place: number, weight: number): void {
  if (strip.length === strip.places.length) {
    const room = Math.ceil(strip.length * 1.25) + 16
    const [places, weights] = [new Uint32Array(room), new Float64Array(room)]
    places.set(strip.places)
    weights.set(strip.weights)
    strip.places = places
    strip.weights = weights
  }
  strip.places[strip.length] = place
  strip.weights[strip.length++] = weight
}

function takeOffStrip({ from, places, weights, length }: Strip, x: Panel, y: Panel): void {
  for (let at = 0; at < length; at++) {
    const i = rowOf(places[at]!) * lanes
    const j = (from + columnOf(places[at]!)) * lanes
    const weight = weights[at]!
    for (let v = 0; v < lanes; v++) {
      y[i + v]! -= weight * x[j + v]!
      y[j + v]! -= weight * x[i + v]!
    }
  }
}
