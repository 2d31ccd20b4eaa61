import { screenOf } from './screen.ts'
import type { ScoredIndex } from './highest.ts'
import type { Matrix } from './vectors.ts'

/** Rows per block. */
const blockRows = 256

/**
 * Per row, up to `most` other rows whose inner product reaches the threshold: best first, ties by index. Exact; screens
 * every pair once in 8 bits. Memory grows with rows and `most`, never with pairs.
 */
export function* similarityJoin(matrix: Matrix, threshold: number, most: number): Generator<ScoredIndex[]> {
  const { rows } = matrix
  const shortlists = Array.from({ length: rows }, () => shortlist(most))
  if (most > 0) {
    forEachLikelyPair(matrix, threshold - slack, (row, partner) => {
      const score = productOf(matrix, row, partner)
      if (!(score >= threshold)) return
      shortlists[row]!.add(partner, score)
      shortlists[partner]!.add(row, score)
    })
  }
  for (const { best } of shortlists) yield best()
}

/** Far more than the rounding of an inner product of unit vectors. */
const slack = 1e-9

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

/** The best `most` of many hits; holds at most twice as many and drops the rest when full. */
function shortlist(most: number) {
  const limit = 2 * most + 16
  const indices: number[] = []
  const scores: number[] = []
  const best = (): ScoredIndex[] =>
    scores
      .map((score, i) => ({ index: indices[i]!, score }))
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, most)
  const add = (index: number, score: number) => {
    if (scores.length === limit) {
      const top = best()
      indices.splice(0, limit, ...top.map((hit) => hit.index))
      scores.splice(0, limit, ...top.map((hit) => hit.score))
    }
    indices.push(index)
    scores.push(score)
  }
  return { add, best }
}

/** The inner product of two rows, in float64. */
function productOf({ data, columns }: Matrix, row: number, partner: number): number {
  let sum = 0
  for (let i = 0; i < columns; i++) sum += data[row * columns + i]! * data[partner * columns + i]!
  return sum
}
