import { memoise } from '../../basics/memoise.ts'
import { cosine } from '../vectors.ts'
import { productTransposed } from '../kernels.ts'

/** The vectors of the tokens of one text, special ones first and last. */
type Tokens = readonly Float32Array[]

/**
 * BERTScore F of every node (candidate) against the text that each query was asked about (reference), which is a node too: greedy matching by
 * cosine without weights; the special tokens weigh 0 but can be matched. A row for each query. A text of nothing but these scores 0.
 */
export function bertScoreLabels(nodes: readonly Tokens[], sources: readonly number[]): readonly Float64Array[] {
  const dim = nodes.find((tokens) => tokens.length > 0)?.[0]?.length ?? 0
  const units = nodes.map((tokens) => unitRows(tokens, dim))
  const labelsFor = memoise((source: number) => {
    const wanted = units[source]!
    return Float64Array.from(units, (given) => matched(given, wanted, dim))
  })
  return sources.map(labelsFor)
}

/** Cosine of every node with the text that each query was asked about. A row for each query. */
export const cosineLabels = (nodes: readonly Float32Array[], sources: readonly number[]): readonly Float64Array[] =>
  sources.map((source) => Float64Array.from(nodes, (node) => cosine(node, nodes[source]!)))

function matched(given: Float64Array, wanted: Float64Array, dim: number): number {
  const [rows, columns] = [given.length / dim, wanted.length / dim]
  if (rows <= 2 || columns <= 2) return 0
  const similarity = productTransposed(given, wanted, rows, dim, columns)
  const nearest = new Float64Array(columns).fill(-Infinity)
  let precision = 0
  for (let row = 0; row < rows; row++) {
    let best = -Infinity
    for (let column = 0; column < columns; column++) {
      const one = similarity[row * columns + column]!
      if (one > best) best = one
      if (one > nearest[column]!) nearest[column] = one
    }
    if (row > 0 && row < rows - 1) precision += best / (rows - 2)
  }
  const recall = nearest.subarray(1, -1).reduce((sum, value) => sum + value, 0) / (columns - 2)
  const f1 = (2 * precision * recall) / (precision + recall)
  return Number.isNaN(f1) ? 0 : f1
}

/** Rows of length one. */
function unitRows(tokens: Tokens, dim: number): Float64Array {
  const rows = new Float64Array(tokens.length * dim)
  for (const [row, token] of tokens.entries()) {
    const length = Math.sqrt(token.reduce((sum, value) => sum + value * value, 0))
    for (let column = 0; column < dim; column++) rows[row * dim + column] = (token[column] ?? 0) / length
  }
  return rows
}
