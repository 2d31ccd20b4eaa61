import { once } from '../basics/memoise.ts'
import { highest } from './highest.ts'
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
  /** The rows that may be among the `k` with the largest products with each query, ascending: those and few others. */
  nearest(queries: readonly Rows['data'][], k: number): Uint32Array[]
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

/** The same of rows that are not all in memory: `add` takes some after the others, `made` says when all are there. */
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
      const first = added
      quantise(some, columns, stride, mostOfRow, part, (row, numbers) => room.setRow(first + row, numbers))
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
  const all = (): number[] => Array.from({ length: rows }, (_, row) => row)
  const bounding = once(() => [new Float64Array(rows), new Float64Array(rows)] as const)
  const widest = { length: largest(kept.lengths), error: largest(kept.errors) }

  /** Multiplies the rows from `first` on with each query; `use` gets the products and what was rounded off it. */
  function multiplied(
    queries: readonly Rows['data'][],
    first: number,
    use: (query: number, products: Int32Array, rounded: Rounded) => void,
  ): void {
    for (let start = 0; start < queries.length; start += queriesAtOnce) {
      const some = queries.slice(start, start + queriesAtOnce)
      const together = new Float64Array(some.length * columns)
      for (const [q, query] of some.entries()) together.set(query, q * columns)
      const words = unquantised(some.length)
      quantise(together, columns, stride, mostOfQuery(columns), words, room.setQuery)
      const part = some.length === 1 ? rows : Math.ceil(partBytes / (stride || 1))
      for (let from = first; from < rows; from += part)
        for (const q of some.keys()) room.multiply(q, from, Math.min(from + part, rows))
      for (const q of some.keys()) {
        const [scale, error, length] = [words.scales[q]!, words.errors[q]!, words.lengths[q]!]
        use(start + q, room.products(q), { scale, error, length })
      }
    }
  }

  /** The rows whose product with a query may be among the `k` largest. */
  function likely(products: Int32Array, { scale, error, length }: Rounded, k: number): number[] {
    const { scales, lengths, errors } = kept
    const most = width(widest.length, widest.error, length, error)
    let found: Likely[] = []
    let [limit, room] = [-Infinity, 4 * k + fewestSifted]
    for (let row = 0; row < rows; row++) {
      const near = scales[row]! * scale * products[row]!
      if (near + most < limit) continue
      const apart = width(lengths[row]!, errors[row]!, length, error)
      found.push({ row, least: near - apart, most: near + apart })
      if (found.length < room) continue
      ;[limit, found] = sifted(found, k)
      room = 2 * found.length + fewestSifted
    }
    return sifted(found, k)[1].map(({ row }) => row)
  }

  return {
    bounds(queries, first, visit) {
      const [least, most] = bounding()
      multiplied(queries, first, (query, products, { scale, error, length }) => {
        if (Number.isFinite(length))
          for (let row = first; row < rows; row++) {
            const near = kept.scales[row]! * scale * products[row]!
            const apart = width(kept.lengths[row]!, kept.errors[row]!, length, error)
            least[row] = near - apart
            most[row] = near + apart
          }
        else {
          least.fill(-Infinity)
          most.fill(Infinity)
        }
        visit(query, least, most)
      })
    },
    nearest(queries, k) {
      const found: Uint32Array[] = []
      multiplied(queries, 0, (_, products, rounded) => {
        found.push(Uint32Array.from(Number.isFinite(rounded.length) ? likely(products, rounded, k) : all()))
      })
      return found
    },
  }
}

/** A row that may be among the best, and what its product is at least and at most. */
type Likely = Readonly<Record<'row' | 'least' | 'most', number>>

/** So many rows at least are gathered before those that cannot be among the best are left out. */
const fewestSifted = 1000

/** What the `k`-th largest product is at least, and the rows that may reach it. */
function sifted(rows: readonly Likely[], k: number): [limit: number, rows: Likely[]] {
  const best = highest(
    rows.map(({ least }) => least),
    k,
  )
  const limit = best.length < k ? -Infinity : (best.at(-1)?.score ?? Infinity)
  return [limit, rows.filter(({ most }) => most >= limit)]
}

/** The scale of a query, its length, and that of what rounding took off. */
type Rounded = Readonly<Record<'scale' | 'length' | 'error', number>>

/** How far the product of a row and a query may be from that of their whole numbers. */
function width(rowLength: number, rowError: number, length: number, error: number): number {
  const whole = rowLength + rowError
  return length * (rowError + rounding * whole) + error * whole
}

const largest = (numbers: Float64Array): number => numbers.reduce((most, one) => Math.max(most, one), 0)

/** Vectors as whole numbers times a scale each; the lengths of the vectors and of what rounding took off. */
type Quantised = Readonly<Record<'scales' | 'errors' | 'lengths', Float64Array>>

const unquantised = (count: number): Quantised => ({
  scales: new Float64Array(count),
  errors: new Float64Array(count),
  lengths: new Float64Array(count),
})

/** Gives `write` vectors of `columns` numbers, filled up to `stride`, as multiples of their largest over `most`. */
function quantise(
  vectors: Rows['data'],
  columns: number,
  stride: number,
  most: number,
  { scales, errors, lengths }: Quantised,
  write: (row: number, numbers: Int16Array) => void,
): void {
  const count = columns === 0 ? 0 : vectors.length / columns
  const whole = new Int16Array(stride)
  for (let row = 0; row < count; row++) {
    const from = row * columns
    let largest = 0
    for (let c = 0; c < columns; c++) largest = Math.max(largest, Math.abs(vectors[from + c]!))
    const scale = largest / most
    let [error, length] = [0, 0]
    for (let c = 0; c < columns; c++) {
      const value = vectors[from + c]!
      const times = scale > 0 ? Math.round(value / scale) : 0
      const rest = value - times * scale
      whole[c] = times
      error += rest * rest
      length += value * value
    }
    write(row, whole)
    scales[row] = scale
    errors[row] = Math.sqrt(error)
    lengths[row] = Math.sqrt(length)
  }
}
