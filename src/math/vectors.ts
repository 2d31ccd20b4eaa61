import { highest, type ScoredIndex } from './highest.ts'
import { screenOf, type Screen } from './screen.ts'

/** Vectors of one length as a row-major matrix. */
export interface Matrix {
  readonly data: Float32Array
  readonly rows: number
  readonly columns: number
}

/** Copies vectors into one matrix. Throws RangeError when their lengths differ. */
export function rowsToMatrix(vectors: readonly Float32Array[]): Matrix {
  const columns = vectors[0]?.length ?? 0
  const data = new Float32Array(vectors.length * columns)
  for (const [row, vector] of vectors.entries()) {
    if (vector.length !== columns)
      throw new RangeError(`vector ${row} has ${vector.length} numbers, the first has ${columns}`)
    data.set(vector, row * columns)
  }
  return { data, rows: vectors.length, columns }
}

/** Inner product in float64. Throws RangeError when the lengths differ. */
export function dot(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length)
    throw new RangeError(`vectors of ${a.length} and ${b.length} numbers have no inner product`)
  return dotAt(a, b, 0)
}

/** Cosine in float64; 0 where a vector is zero. */
export function cosine(a: Float32Array, b: Float32Array): number {
  const product = dot(a, b)
  const lengths = Math.sqrt(dotAt(a, a, 0)) * Math.sqrt(dotAt(b, b, 0))
  return lengths === 0 ? 0 : product / lengths
}

/** The vector of length one in the same direction; a zero vector stays zero. */
export function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dotAt(vector, vector, 0))
  return length === 0 ? vector.slice() : vector.map((value) => value / length)
}

/**
 * The k rows with the largest inner product with the query, exactly: best first, equal scores by lower index. Of unit
 * vectors these are cosines. Throws RangeError when lengths differ.
 */
export function topK(query: Float32Array, rows: readonly Float32Array[] | Matrix, k: number): ScoredIndex[] {
  if ('data' in rows) return topKForQueries([query], rows, k)[0] ?? []
  return highest(
    rows.map((row) => dot(query, row)),
    k,
  )
}

/** The same for several queries. A large matrix with repeated queries is screened in 8 bits, and must not change. */
export function topKForQueries(queries: readonly Float32Array[], matrix: Matrix, k: number): ScoredIndex[][] {
  for (const query of queries) checkLength(query, matrix)
  const screen = screenFor(matrix, queries.length, k)
  if (!screen) return queries.map((query) => highest(products(query, matrix), k))
  return topKByScreen(queries, screen, k, (query, row) => dotAt(query, matrix.data, row * matrix.columns))
}

/** The same by a screen, with exact products for its candidates alone. */
export function topKByScreen(
  queries: readonly Float32Array[],
  screen: Screen,
  k: number,
  productWith: (query: Float32Array, row: number) => number,
): ScoredIndex[][] {
  return screen.nearest(queries, k).map((rows, q) => {
    const scores = Array.from(rows, (row) => productWith(queries[q]!, row))
    return highest(scores, k).map(({ index, score }) => ({ index: rows[index]!, score }))
  })
}

/** Minimum matrix size and query count for a screen: building one costs as much as four scans. */
const fewestNumbers = 2 ** 17
const fewestQueries = 4

/** Query counts and screens by matrix. */
const screens = new WeakMap<Float32Array, { queries: number; screen?: Screen | undefined; isDecided: boolean }>()

function screenFor(matrix: Matrix, queries: number, k: number): Screen | undefined {
  const { data, rows } = matrix
  // large k leaves little to skip
  if (data.length < fewestNumbers || k < 1 || k > rows / 8) return undefined
  const state = screens.get(data) ?? { queries: 0, isDecided: false }
  screens.set(data, state)
  state.queries += queries
  if (!state.isDecided && state.queries >= fewestQueries) {
    state.isDecided = true
    state.screen = screenOf(matrix)
  }
  return state.screen
}

/** The inner product of the query with every row, in row order. Throws RangeError where lengths differ. */
export function products(query: Float32Array, { data, rows, columns }: Matrix): Float64Array {
  checkLength(query, { rows, columns })
  const scores = new Float64Array(rows)
  for (let row = 0; row < rows; row++) scores[row] = dotAt(query, data, row * columns)
  return scores
}

function checkLength({ length }: Float32Array, { rows, columns }: Pick<Matrix, 'rows' | 'columns'>): void {
  if (rows > 0 && length !== columns) throw new RangeError(`the query has ${length} numbers, the rows have ${columns}`)
}

/** Inner product of all of `a` with `b` from an offset; four accumulators, for speed. */
function dotAt(a: Float32Array, b: Float32Array, offset: number): number {
  const blocks = a.length & ~3
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let i = 0
  for (let j = offset; i < blocks; i += 4, j += 4) {
    s0 += a[i]! * b[j]!
    s1 += a[i + 1]! * b[j + 1]!
    s2 += a[i + 2]! * b[j + 2]!
    s3 += a[i + 3]! * b[j + 3]!
  }
  let sum = s0 + s1 + (s2 + s3)
  for (; i < a.length; i++) sum += a[i]! * b[offset + i]!
  return sum
}
