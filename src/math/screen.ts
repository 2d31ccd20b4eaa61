import { byteProducts, type Rows } from './kernels.ts'

/** Bounds of inner products, quickly: rows that they leave are looked at exactly. */
export interface Screen {
  /**
   * Gives `visit`, query after query, what the inner product of each row with it is at least and at most, from row
   * `first` on. The arrays are written over for the next query. A query with a number that is not finite leaves every
   * row.
   */
  bounds(
    queries: readonly Rows['data'][],
    first: number,
    visit: (query: number, least: Float64Array, most: Float64Array) => void,
  ): void
}

/** Queries that are multiplied in one go, with rows that stay in a first-level cache meanwhile. */
const mostQueries = 16
const partBytes = 24_000
/** The most bytes of products: where there are many rows, fewer queries are multiplied in one go. */
const productBytes = 2 ** 25
/** Numbers that a row or a query is filled up to a multiple of. */
const columnsAtOnce = 8
/** The largest whole numbers of a row and of a query: what they sum to fits 32 bits. */
const mostOfRow = 127
const mostOfQuery = (columns: number): number => Math.min(32_767, Math.floor((2 ** 31 - 1) / (mostOfRow * columns)))
/** Roundings in 64 bits, generously, as a part of the lengths. */
const rounding = 1e-9

/**
 * Keeps the rows a second time, in 8 bits. The error of each product is bounded by the lengths of what was rounded off
 * (Cauchy and Schwarz), so that no row is missed. Undefined for rows with a number that is not finite.
 */
export function screenOf({ data, rows, columns }: Rows): Screen | undefined {
  const screen = newScreen(rows, columns)
  screen.add(data)
  return screen.made()
}

/** The same of rows that are not all in memory: `add` takes some after the others, and `made` says when all are there. */
export function newScreen(rows: number, columns: number) {
  const stride = columnsAtOnce * Math.ceil(columns / columnsAtOnce)
  const queriesAtOnce = Math.max(1, Math.min(mostQueries, Math.floor(productBytes / (4 * rows))))
  const room = byteProducts(rows, stride, queriesAtOnce)
  const kept = unquantised(rows)
  let added = 0
  return {
    add(some: Rows['data']): void {
      const part = {
        scales: kept.scales.subarray(added),
        errors: kept.errors.subarray(added),
        lengths: kept.lengths.subarray(added),
      }
      quantise(some, columns, stride, mostOfRow, room.rows.subarray(added * stride), part)
      added += columns === 0 ? rows : some.length / columns
    },
    made: (): Screen | undefined =>
      kept.lengths.every(Number.isFinite) ? screenOn({ rows, columns, stride, queriesAtOnce, room, kept }) : undefined,
  }
}

interface Kept {
  readonly rows: number
  readonly columns: number
  readonly stride: number
  readonly queriesAtOnce: number
  readonly room: ReturnType<typeof byteProducts>
  readonly kept: Quantised
}

function screenOn({ rows, columns, stride, queriesAtOnce, room, kept }: Kept): Screen {
  const [least, most] = [new Float64Array(rows), new Float64Array(rows)]

  /** The bounds of the products with one query, which were multiplied. */
  function bound(query: number, { scales, errors, lengths }: Quantised, first: number): void {
    const [scale, error, length] = [scales[query]!, errors[query]!, lengths[query]!]
    if (!Number.isFinite(length)) {
      least.fill(-Infinity)
      most.fill(Infinity)
      return
    }
    const products = room.products(query)
    for (let row = first; row < rows; row++) {
      const whole = kept.lengths[row]! + kept.errors[row]!
      const width = length * (kept.errors[row]! + rounding * whole) + error * whole
      const near = kept.scales[row]! * scale * products[row]!
      least[row] = near - width
      most[row] = near + width
    }
  }

  return {
    bounds(queries, first, visit) {
      for (let start = 0; start < queries.length; start += queriesAtOnce) {
        const some = queries.slice(start, start + queriesAtOnce)
        const together = new Float64Array(some.length * columns)
        for (const [q, query] of some.entries()) together.set(query, q * columns)
        const words = unquantised(some.length)
        quantise(together, columns, stride, mostOfQuery(columns), room.queries, words)
        const part = some.length === 1 ? rows : Math.ceil(partBytes / (stride || 1))
        for (let from = first; from < rows; from += part)
          for (const q of some.keys()) room.multiply(q, from, Math.min(from + part, rows))
        for (const q of some.keys()) {
          bound(q, words, first)
          visit(start + q, least, most)
        }
      }
    },
  }
}

/** Vectors as whole numbers times a scale each; the lengths of the vectors and of what rounding took off. */
type Quantised = Readonly<Record<'scales' | 'errors' | 'lengths', Float64Array>>

const unquantised = (count: number): Quantised => ({
  scales: new Float64Array(count),
  errors: new Float64Array(count),
  lengths: new Float64Array(count),
})

/** Writes vectors of `columns` numbers into `whole`, one each `stride`, as multiples of their largest over `most`. */
function quantise(
  vectors: Rows['data'],
  columns: number,
  stride: number,
  most: number,
  whole: Int8Array | Int16Array,
  { scales, errors, lengths }: Quantised,
): void {
  const count = columns === 0 ? 0 : vectors.length / columns
  for (let row = 0; row < count; row++) {
    const [from, to] = [row * columns, row * stride]
    let largest = 0
    for (let c = 0; c < columns; c++) largest = Math.max(largest, Math.abs(vectors[from + c]!))
    const scale = largest / most
    let [error, length] = [0, 0]
    for (let c = 0; c < columns; c++) {
      const value = vectors[from + c]!
      const times = scale > 0 ? Math.round(value / scale) : 0
      const rest = value - times * scale
      whole[to + c] = times
      error += rest * rest
      length += value * value
    }
    scales[row] = scale
    errors[row] = Math.sqrt(error)
    lengths[row] = Math.sqrt(length)
  }
}
