import { screenOf } from './screen.ts'
import type { ScoredIndex } from './highest.ts'
import type { Matrix } from './vectors.ts'

/** Rows per block. */
const blockRows = 256

/** Share of the columns to multiply first, which often rules a pair out. */
const firstShare = 1 / 3

/**
 * Per row, up to `most` other rows whose inner product reaches the threshold: best first, ties by index. Exact; screens
 * every pair once in 8 bits. Memory grows with rows and `most`, never with pairs.
 */
export function* similarityJoin(matrix: Matrix, threshold: number, most: number): Generator<ScoredIndex[]> {
  const { rows } = matrix
  const shortlists = Array.from({ length: rows }, () => shortlist(most))
  if (most > 0) {
    const productOf = boundedProduct(matrix, threshold - slack)
    forEachLikelyPair(matrix, threshold - slack, (row, partner) => {
      const score = productOf(row, partner)
      if (!(score >= threshold)) return
      shortlists[row]!.add(partner, score)
      shortlists[partner]!.add(row, score)
    })
  }
  for (const { best } of shortlists) yield best()
}

/** Far more than the rounding of an inner product of unit vectors. */
const slack = 1e-9

/** Inner products of two rows in float64; NaN where the first columns prove them below `least`. */
function boundedProduct(matrix: Matrix, least: number): (row: number, partner: number) => number {
  const { rows, columns } = matrix
  const first = Math.ceil(columns * firstShare)
  const rest = Float64Array.from({ length: rows }, (_, row) =>
    Math.sqrt(productBetween(matrix, first, columns, row, row)),
  )
  return (row, partner) => {
    const product = productBetween(matrix, 0, first, row, partner)
    // Cauchy and Schwarz bound the rest
    return product + rest[row]! * rest[partner]! < least
      ? NaN
      : product + productBetween(matrix, first, columns, row, partner)
  }
}

/** Visits pairs, lower row first, whose inner product can reach a score. */
function forEachLikelyPair(matrix: Matrix, score: number, visit: (row: number, partner: number) => void): void {
  const { data, rows, columns } = matrix
  const screen = screenOf(matrix)
  for (let top = 0; top < rows; top += blockRows) {
    const block = Array.from({ length: Math.min(blockRows, rows - top) }, (_, at) => top + at)
    const vectors = block.map((row) => data.subarray(row * columns, (row + 1) * columns))
    screen?.bounds(vectors, top, (at, _, most) => {
      for (let partner = top + at + 1; partner < rows; partner++) {
        if (most[partner]! >= score) visit(top + at, partner)
      }
    })
    if (!screen) for (const row of block) for (let partner = row + 1; partner < rows; partner++) visit(row, partner)
  }
}

/** The best `most` of many hits; buffers more and prunes when full. */
function shortlist(most: number) {
  const limit = 2 * most + 16
  let indices = new Uint32Array(4)
  let scores = new Float64Array(4)
  let count = 0
  const best = (): ScoredIndex[] =>
    Array.from(scores.subarray(0, count), (score, i) => ({ index: indices[i]!, score }))
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, most)
  const widen = () => {
    const size = Math.min(2 * count, limit)
    const wider = { indices: new Uint32Array(size), scores: new Float64Array(size) }
    wider.indices.set(indices)
    wider.scores.set(scores)
    ;({ indices, scores } = wider)
  }
  const drop = () => {
    const top = best()
    indices.set(top.map(({ index }) => index))
    scores.set(top.map(({ score }) => score))
    count = top.length
  }
  const add = (index: number, score: number) => {
    if (count === limit) drop()
    else if (count === indices.length) widen()
    indices[count] = index
    scores[count++] = score
  }
  return { add, best }
}

/** The inner product of two rows over the columns from one to another. */
function productBetween({ data, columns }: Matrix, from: number, to: number, row: number, partner: number): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += data[row * columns + i]! * data[partner * columns + i]!
  return sum
}
