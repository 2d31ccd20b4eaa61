import { once } from '../basics/memoise.ts'
import { highest } from './highest.ts'
import { byteProducts, type Rows } from './kernels.ts'

/** Fast bounds of inner products, to skip rows before exact computation. */
export interface Screen {
  /**
   * Visits each query with lower and upper bounds of its inner product with every row from `first` on. The arrays are
   * reused. Bounds are infinite for a query that is not finite.
   */
  bounds(
    queries: readonly Rows['data'][],
    first: number,
    visit: (query: number, least: Float64Array, most: Float64Array) => void,
  ): void
  /** Per query, the candidates for the top `k` rows, ascending: a small superset. */
  nearest(queries: readonly Rows['data'][], k: number): Uint32Array[]
}

/** Queries per pass; rows stay in the L1 cache meanwhile. */
const mostQueries = 16
const partBytes = 24_000
/** Limit of bytes of products: many rows mean fewer queries per pass. */
const productBytes = 2 ** 25
/** Rows and queries are padded to a multiple of this. */
const columnsAtOnce = 8
/** The largest integers of a row and of a query: their inner product fits 32 bits. */
const mostOfRow = 127
const mostOfQuery = (columns: number): number => Math.min(32_767, Math.floor((2 ** 31 - 1) / (mostOfRow * columns)))
/** Float64 rounding, generously, relative to the lengths. */
const rounding = 1e-9

/**
 * Quantises the rows to 8 bits. The lengths of the rounding errors bound each product's error (Cauchy and Schwarz), so
 * no row is missed. Undefined where a number is not finite.
 */
export function screenOf({ data, rows, columns }: Rows): Screen | undefined {
  const screen = newScreen(rows, columns)
  screen.add(data)
  return screen.finish()
}

/** The same for rows that arrive in parts by `add`; `finish` gives the screen. */
export function newScreen(rows: number, columns: number) {
  const stride = columnsAtOnce * Math.ceil(columns / columnsAtOnce)
  const queriesAtOnce = Math.max(1, Math.min(mostQueries, Math.floor(productBytes / (4 * rows))))
  const room = byteProducts(rows, stride, queriesAtOnce)
  const codes = emptyCodes(rows)
  let rowOffset = 0
  return {
    add(vectors: Rows['data']): void {
      const part = {
        scales: codes.scales.subarray(rowOffset),
        errors: codes.errors.subarray(rowOffset),
        lengths: codes.lengths.subarray(rowOffset),
      }
      const first = rowOffset
      quantise(vectors, columns, stride, mostOfRow, part, (row, numbers) => room.setRow(first + row, numbers))
      rowOffset += columns === 0 ? rows : vectors.length / columns
    },
    finish: (): Screen | undefined =>
      codes.lengths.every(Number.isFinite)
        ? screenOn({ rows, columns, stride, queriesAtOnce, room, codes })
        : undefined,
  }
}

interface ScreenParts {
  readonly rows: number
  readonly columns: number
  readonly stride: number
  readonly queriesAtOnce: number
  readonly room: ReturnType<typeof byteProducts>
  readonly codes: Codes
}

function screenOn({ rows, columns, stride, queriesAtOnce, room, codes }: ScreenParts): Screen {
  const all = (): number[] => Array.from({ length: rows }, (_, row) => row)
  const bounding = once(() => [new Float64Array(rows), new Float64Array(rows)] as const)
  const widest = { length: largest(codes.lengths), error: largest(codes.errors) }

  /** Multiplies the rows from `first` on with each query; `use` gets the products and the query's code. */
  function multiplyQueries(
    queries: readonly Rows['data'][],
    first: number,
    use: (query: number, products: Int32Array, code: QueryCode) => void,
  ): void {
    for (let start = 0; start < queries.length; start += queriesAtOnce) {
      const batch = queries.slice(start, start + queriesAtOnce)
      const together = new Float64Array(batch.length * columns)
      for (const [q, query] of batch.entries()) together.set(query, q * columns)
      const words = emptyCodes(batch.length)
      quantise(together, columns, stride, mostOfQuery(columns), words, room.setQuery)
      const part = batch.length === 1 ? rows : Math.ceil(partBytes / (stride || 1))
      for (let from = first; from < rows; from += part)
        for (const q of batch.keys()) room.multiply(q, from, Math.min(from + part, rows))
      for (const q of batch.keys()) {
        const scale = words.scales[q]!
        const error = words.errors[q]!
        const length = words.lengths[q]!
        use(start + q, room.products(q), { scale, error, length })
      }
    }
  }

  /** The rows whose product with a query may be among the `k` largest. */
  function likelyRows(products: Int32Array, { scale, error, length }: QueryCode, k: number): number[] {
    const { scales, lengths, errors } = codes
    const most = width(widest.length, widest.error, length, error)
    let candidates: Likely[] = []
    let limit = -Infinity
    let room = 4 * k + minCandidates
    for (let row = 0; row < rows; row++) {
      const near = scales[row]! * scale * products[row]!
      if (near + most < limit) continue
      const apart = width(lengths[row]!, errors[row]!, length, error)
      candidates.push({ row, least: near - apart, most: near + apart })
      if (candidates.length < room) continue
      ;[limit, candidates] = sift(candidates, k)
      room = 2 * candidates.length + minCandidates
    }
    return sift(candidates, k)[1].map(({ row }) => row)
  }

  return {
    bounds(queries, first, visit) {
      const [least, most] = bounding()
      multiplyQueries(queries, first, (query, products, { scale, error, length }) => {
        if (Number.isFinite(length))
          for (let row = first; row < rows; row++) {
            const near = codes.scales[row]! * scale * products[row]!
            const apart = width(codes.lengths[row]!, codes.errors[row]!, length, error)
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
      const result: Uint32Array[] = []
      multiplyQueries(queries, 0, (_, products, code) => {
        result.push(Uint32Array.from(Number.isFinite(code.length) ? likelyRows(products, code, k) : all()))
      })
      return result
    },
  }
}

/** A candidate row with bounds of its product. */
type Likely = Readonly<Record<'row' | 'least' | 'most', number>>

/** Candidates gathered before the next pruning. */
const minCandidates = 1000

/** A lower bound of the `k`-th largest product, and the rows that may reach it. */
function sift(rows: readonly Likely[], k: number): [limit: number, rows: Likely[]] {
  const best = highest(
    rows.map(({ least }) => least),
    k,
  )
  const limit = best.length < k ? -Infinity : (best.at(-1)?.score ?? Infinity)
  return [limit, rows.filter(({ most }) => most >= limit)]
}

/** Scale, length and rounding error of a quantised query. */
type QueryCode = Readonly<Record<'scale' | 'length' | 'error', number>>

/** Error bound of a quantised product. */
function width(rowLength: number, rowError: number, length: number, error: number): number {
  const total = rowLength + rowError
  return length * (rowError + rounding * total) + error * total
}

const largest = (numbers: Float64Array): number => numbers.reduce((most, value) => Math.max(most, value), 0)

/** Scales, lengths and rounding errors of quantised vectors. */
type Codes = Readonly<Record<'scales' | 'errors' | 'lengths', Float64Array>>

const emptyCodes = (count: number): Codes => ({
  scales: new Float64Array(count),
  errors: new Float64Array(count),
  lengths: new Float64Array(count),
})

/** Writes vectors as integers in units of their largest entry over `most`, padded to `stride`. */
function quantise(
  vectors: Rows['data'],
  columns: number,
  stride: number,
  most: number,
  { scales, errors, lengths }: Codes,
  write: (row: number, numbers: Int16Array) => void,
): void {
  const count = columns === 0 ? 0 : vectors.length / columns
  const integers = new Int16Array(stride)
  for (let row = 0; row < count; row++) {
    const from = row * columns
    let largest = 0
    for (let c = 0; c < columns; c++) largest = Math.max(largest, Math.abs(vectors[from + c]!))
    const scale = largest / most
    let error = 0
    let length = 0
    for (let c = 0; c < columns; c++) {
      const value = vectors[from + c]!
      const times = scale > 0 ? Math.round(value / scale) : 0
      const rest = value - times * scale
      integers[c] = times
      error += rest * rest
      length += value * value
    }
    write(row, integers)
    scales[row] = scale
    errors[row] = Math.sqrt(error)
    lengths[row] = Math.sqrt(length)
  }
}
