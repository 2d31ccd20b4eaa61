import { screenLanes } from '../wasm/kernels.ts'
import type { Rows } from '../wasm/panel.ts'
import { wasmProducts } from '../wasm/wasm-matrix.ts'
import { squaredLengths } from './squared-distances.ts'

/** Gives the nearest centre of every row, quickest where it is the row's guess; `moved` marks the centres that moved since the last time. */
export type Screening = (guesses: Uint32Array, moved: Uint8Array) => Uint32Array

/** Panels of centres that are multiplied together. */
export const screenedAtOnce = 4

/** Up to these no product overflows 32 bits, and the bound below holds. */
const [mostLength, mostColumns] = [2 ** 60, 2 ** 20]

/**
 * The nearest centres, the first of several, exactly as 64 bits give them, by products in 32 bits: distances are computed in 64 only for
 * a row of which 32 cannot tell the nearest. `lengths` are the squared lengths of the points; the centres are in their midst, wherever
 * they move. Undefined for points that are not in place, or too long for 32 bits.
 */
export function screening(points: Rows, lengths: Float64Array, centres: Rows): Screening | undefined {
  const { data, rows, columns } = points
  const place = data instanceof Float32Array && columns <= mostColumns ? wasmProducts(points) : undefined
  if (!place || !lengths.every((length) => length <= mostLength ** 2)) return undefined
  const products = Array.from({ length: centres.rows }, () => new Float32Array(rows))
  const panels = Array.from({ length: screenedAtOnce }, () => new Float32Array(rows * screenLanes))
  return (guesses, moved) => {
    const marked = Array.from(moved.keys()).filter((c) => moved[c] === 1)
    for (let at = 0; at < marked.length; at += screenedAtOnce * screenLanes) {
      const some = marked.slice(at, at + screenedAtOnce * screenLanes)
      const into = panels.slice(0, Math.ceil(some.length / screenLanes))
      place.screen(
        into.map((_, p) => panelOf(centres, some.slice(p * screenLanes, (p + 1) * screenLanes))),
        into,
      )
      for (const [i, c] of some.entries()) unpack(into[Math.floor(i / screenLanes)]!, i % screenLanes, products[c]!)
    }
    const squares = squaredLengths(centres)
    const bounds = boundsOf(columns, lengths, squares)
    const labels = guesses.slice()
    for (const row of contested(products, squares, guesses, bounds)) {
      const candidates = likeliest(products, squares, row, bounds[row]!)
      labels[row] = nearest(points, row, lengths[row]!, centres, squares, candidates)
    }
    return labels
  }
}

/** Some centres as columns, in 32 bits. */
function panelOf({ data, columns }: Rows, chosen: readonly number[]): Float32Array {
  const panel = new Float32Array(columns * screenLanes)
  for (const [v, c] of chosen.entries()) {
    for (let j = 0; j < columns; j++) panel[screenLanes * j + v] = data[c * columns + j]!
  }
  return panel
}

function unpack(panel: Float32Array, lane: number, into: Float32Array): void {
  for (let row = 0; row < into.length; row++) into[row] = panel[row * screenLanes + lane]!
}

/**
 * For every row x the most by which the scores |c|² - 2xc of two centres can be in another order than their distances in 64 bits: four
 * times the error of a sum of products (Higham 2002, section 3.1, which counts n + 1 roundings where the centre is rounded too), and as
 * generously what numbers next to 0, whose error is not relative, and the roundings in 64 bits may add.
 */
function boundsOf(columns: number, lengths: Float64Array, squares: Float64Array): Float64Array {
  const most = squares.reduce((a, b) => Math.max(a, b), 0)
  const relative = 8 * (columns + 2) * 2 ** -24 * Math.sqrt(most)
  return lengths.map((square) => {
    const length = Math.sqrt(square)
    return relative * length + columns * 2 ** -146 * (1 + length) + 2 ** -48 * (square + most)
  })
}

/** The rows that have another centre whose score is not clearly above that of the guess. */
function contested(
  products: readonly Float32Array[],
  squares: Float64Array,
  guesses: Uint32Array,
  bounds: Float64Array,
): number[] {
  const limits = bounds.map((bound, row) => bound + squares[guesses[row]!]! - 2 * products[guesses[row]!]![row]!)
  const within = new Uint32Array(guesses.length)
  for (const [c, column] of products.entries()) {
    const square = squares[c]!
    for (let row = 0; row < column.length; row++) if (square - 2 * column[row]! <= limits[row]!) within[row]!++
  }
  const rows: number[] = []
  for (let row = 0; row < within.length; row++) if (within[row] !== 1) rows.push(row)
  return rows
}

/** The centres whose scores are so near to the least that each may be the nearest. */
function likeliest(products: readonly Float32Array[], squares: Float64Array, row: number, bound: number): number[] {
  const score = (c: number) => squares[c]! - 2 * products[c]![row]!
  let least = Infinity
  for (let c = 0; c < products.length; c++) least = Math.min(least, score(c))
  const found: number[] = []
  for (let c = 0; c < products.length; c++) if (score(c) <= least + bound) found.push(c)
  return found
}

/** The nearest of some centres in 64 bits, the terms added in the order of the products of `squaredDistances`. */
function nearest(
  { data, columns }: Rows,
  row: number,
  length: number,
  centres: Rows,
  squares: Float64Array,
  candidates: readonly number[],
): number {
  if (candidates.length === 1) return candidates[0]!
  let [found, least] = [0, Infinity]
  for (const c of candidates) {
    let product = 0
    for (let j = 0; j < columns; j++) product += data[row * columns + j]! * centres.data[c * columns + j]!
    const distance = Math.max(0, length + squares[c]! - 2 * product)
    if (distance >= least) continue
    found = c
    least = distance
  }
  return found
}
