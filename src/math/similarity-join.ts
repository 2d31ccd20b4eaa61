import { screenOf } from './screen.ts'
import type { ScoredIndex } from './highest.ts'
import type { Matrix } from './vectors.ts'

/** Rows that are looked at together. */
const together = 256

/** So many of the columns are multiplied first, and often tell that the others cannot make up for it. */
const firstShare = 1 / 3

/**
 * Of each row in turn, the other rows whose inner product with it reaches the threshold: best first, equal ones by
 * lower index, no more than `most`. Exact, every pair looked at once, in 8 bits first; what is held grows with the rows
 * and `most`, never with the pairs.
 */
export function* similarityJoin(matrix: Matrix, threshold: number, most: number): Generator<ScoredIndex[]> {
  const { rows } = matrix
  const found = Array.from({ length: rows }, () => shortlist(most))
  if (most > 0) {
    const productOf = boundedProduct(matrix, threshold - slack)
    forEachLikelyPair(matrix, threshold - slack, (row, other) => {
      const score = productOf(row, other)
      if (!(score >= threshold)) return
      found[row]!.add(other, score)
      found[other]!.add(row, score)
    })
  }
  for (const { best } of found) yield best()
}

/** Far more than the rounding of an inner product of unit vectors. */
const slack = 1e-9

/** Inner products of two rows in float64; NaN for those of which the first columns tell that they are below `least`. */
function boundedProduct(matrix: Matrix, least: number): (row: number, other: number) => number {
  const { rows, columns } = matrix
  const first = Math.ceil(columns * firstShare)
  const rest = Float64Array.from({ length: rows }, (_, row) =>
    Math.sqrt(productBetween(matrix, first, columns, row, row)),
  )
  return (row, other) => {
    const product = productBetween(matrix, 0, first, row, other)
    // Cauchy and Schwarz: the other columns add no more than the product of their lengths
    return product + rest[row]! * rest[other]! < least
      ? NaN
      : product + productBetween(matrix, first, columns, row, other)
  }
}

/** Every two rows, the lower one first, whose inner product can reach a score. */
function forEachLikelyPair(matrix: Matrix, score: number, visit: (row: number, other: number) => void): void {
  const { data, rows, columns } = matrix
  const screen = screenOf(matrix)
  for (let top = 0; top < rows; top += together) {
    const some = Array.from({ length: Math.min(together, rows - top) }, (_, at) => top + at)
    const vectors = some.map((row) => data.subarray(row * columns, (row + 1) * columns))
    screen?.bounds(vectors, top, (at, _, most) => {
      for (let other = top + at + 1; other < rows; other++) if (most[other]! >= score) visit(top + at, other)
    })
    if (!screen) for (const row of some) for (let other = row + 1; other < rows; other++) visit(row, other)
  }
}

/** The best few of many hits: a few more are held, and the worst of them dropped when the arrays are full. */
function shortlist(most: number) {
  const limit = 2 * most + 16
  let indices = new Uint32Array(4)
  let scores = new Float64Array(4)
  let held = 0
  const best = (): ScoredIndex[] =>
    Array.from(scores.subarray(0, held), (score, i) => ({ index: indices[i]!, score }))
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, most)
  const widen = () => {
    const size = Math.min(2 * held, limit)
    const wider = { indices: new Uint32Array(size), scores: new Float64Array(size) }
    wider.indices.set(indices)
    wider.scores.set(scores)
    ;({ indices, scores } = wider)
  }
  const drop = () => {
    const kept = best()
    indices.set(kept.map(({ index }) => index))
    scores.set(kept.map(({ score }) => score))
    held = kept.length
  }
  const add = (index: number, score: number) => {
    if (held === limit) drop()
    else if (held === indices.length) widen()
    indices[held] = index
    scores[held++] = score
  }
  return { add, best }
}

/** The inner product of two rows over the columns from one to another. */
function productBetween({ data, columns }: Matrix, from: number, to: number, row: number, other: number): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += data[row * columns + i]! * data[other * columns + i]!
  return sum
}
