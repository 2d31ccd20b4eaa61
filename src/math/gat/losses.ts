import { exp, log } from '../portable.ts'
import { memoise } from '../../basics/memoise.ts'
import { greedyMatch } from '../bert-score.ts'
import { cosine } from '../vectors.ts'
import { productWithTranspose, transposedProduct } from '../kernels.ts'

/** Whether nodes with equal labels form a pair of the ranking loss, in order (reference code), or are skipped. */
export type TieRule = 'position' | 'skip'

/** The nodes of a graph ranked by the labels of one query; `ties[i]`: node i has the label of its predecessor. */
interface Ranking {
  readonly order: Uint32Array
  readonly ties: Uint8Array
}

/** Ranks nodes by descending label, ties by node number. */
export function rankByLabel(labels: ArrayLike<number>): Ranking {
  const order = Uint32Array.from({ length: labels.length }, (_, node) => node).sort(
    (a, b) => labels[b]! - labels[a]! || a - b,
  )
  const ties = Uint8Array.from(order, (node, place) => Number(place > 0 && labels[order[place - 1]!] === labels[node]))
  return { order, ties }
}

/**
 * Scores of one graph's queries, a row each over all nodes of the batch; the graph's own nodes are `first` to `end`.
 */
interface GraphScores {
  readonly rows: readonly Float64Array[]
  readonly first: number
  readonly end: number
  readonly rankings: readonly Ranking[]
}

export interface Loss {
  readonly contrastive: number
  readonly ranking: number
}

/** Weights of the losses: `contrastive` is 1, or 0 to leave it out; `coe` weights the ranking loss. */
export interface Weighing {
  readonly contrastive: 0 | 1
  readonly coe: number
  readonly tieRule: TieRule
}

/**
 * Both losses of one graph. Adds the gradient of their weighted sum times `share` to `byScore`, which has the form of
 * the rows. Contrastive: minus the log of the softmax of the best node among all nodes of the batch, mean over the
 * queries. Ranking: the logistic loss of every pair in order, differences clamped to ±50, mean over the pairs of the
 * graph.
 */
export function graphLoss(
  { rows, first, end, rankings }: GraphScores,
  { contrastive: weight, coe, tieRule }: Weighing,
  share: number,
  byScore: readonly Float64Array[],
): Loss {
  const pairs = rankings.reduce((sum, { ties }) => sum + pairsOf(ties, tieRule), 0)
  const factor = (weight * share) / rows.length
  let contrastive = 0
  let ranking = 0
  for (const [query, row] of rows.entries()) {
    const { order, ties } = rankings[query]!
    const by = byScore[query]!
    if (order.length === 0) continue
    contrastive += contrast(row, { first, end, best: first + order[0]! }, factor, by) / rows.length
    if (pairs === 0) continue
    const skippedTies = tieRule === 'skip' ? ties : undefined
    ranking += pairwise(row.subarray(first, end), order, skippedTies, (coe * share) / pairs, by.subarray(first, end))
  }
  return { contrastive, ranking: pairs > 0 ? ranking / pairs : 0 }
}

/** The number of ordered pairs; with `skip`, without those of equal labels. */
function pairsOf(ties: Uint8Array, tieRule: TieRule): number {
  const all = (ties.length * (ties.length - 1)) / 2
  if (tieRule === 'position') return all
  let count = all
  let run = 0
  for (const tie of ties) {
    run = tie ? run + 1 : 0
    count -= run
  }
  return count
}

/** Log-sum-exp of all scores, those of the graph first, minus the score of the best node. */
function contrast(
  row: Float64Array,
  { first, end, best }: Readonly<Record<'first' | 'end' | 'best', number>>,
  factor: number,
  by: Float64Array,
): number {
  let most = -Infinity
  for (const score of row) most = Math.max(most, score)
  let sum = 0
  for (const part of [row.subarray(first, end), row.subarray(0, first), row.subarray(end)])
    for (const score of part) sum += exp(score - most)
  const scale = factor / sum
  for (let at = 0; at < row.length; at++) by[at]! += scale * exp(row[at]! - most)
  by[best]! -= factor
  return most + log(sum) - row[best]!
}

/** Larger differences are clamped, and have no gradient. */
const clamp = 50
const least50 = exp(-clamp)
const most50 = exp(clamp)

/**
 * The sum over pairs a before b of log(1 + exp(−(s_a − s_b))); `ties`: nodes that form no pair with their predecessor.
 */
function pairwise(
  scores: Float64Array,
  order: Uint32Array,
  ties: Uint8Array | undefined,
  factor: number,
  by: Float64Array,
): number {
  const sortedScores = new Float64Array(order.length)
  for (let place = 0; place < order.length; place++) sortedScores[place] = scores[order[place]!]!
  const gradient = new Float64Array(sortedScores.length)
  let least = Infinity
  let most = -Infinity
  for (const score of sortedScores) {
    least = Math.min(least, score)
    most = Math.max(most, score)
  }
  // exp(a - b) = exp(a)·exp(-b) where both are finite: one exp per node, not per pair
  const middle = (least + most) / 2
  const up = sortedScores.map((score) => exp(score - middle))
  const down = sortedScores.map((score) => exp(middle - score))
  const isWide = most - least > clamp
  const isHuge = most - least > 1400
  let loss = 0
  for (let a = 0; a < sortedScores.length; a++) {
    let b = a + 1
    if (ties) while (b < sortedScores.length && ties[b]) b++
    let product = 1
    let gradientOfA = 0
    for (; b < sortedScores.length; b++) {
      let odds = up[b]! * down[a]!
      let outside = false
      if (isWide) {
        const difference = sortedScores[a]! - sortedScores[b]!
        outside = Math.abs(difference) > clamp
        if (outside) odds = difference > 0 ? least50 : most50
        else if (isHuge) odds = exp(-difference)
      }
      product *= 1 + odds
      if (product > 1e250) {
        loss += log(product)
        product = 1
      }
      if (outside) continue
      const pull = odds / (1 + odds)
      gradientOfA -= pull
      gradient[b]! += pull
    }
    loss += log(product)
    gradient[a]! += gradientOfA
  }
  for (let place = 0; place < order.length; place++) by[order[place]!]! += factor * gradient[place]!
  return loss
}

/**
 * BERTScore F1 of every node (candidate) against each query's source node (reference), without idf weights. A node is
 * the vectors of its tokens, special ones first and last. A row per query.
 */
export function bertScoreLabels(
  nodes: readonly (readonly Float32Array[])[],
  sources: readonly number[],
): readonly Float64Array[] {
  const texts = nodes.map((vectors) => ({
    vectors,
    weights: vectors.map((_, place) => Number(place > 0 && place < vectors.length - 1)),
  }))
  const labelsFor = memoise((source: number) =>
    Float64Array.from(texts, (candidate) => greedyMatch(texts[source]!, candidate).f1),
  )
  return sources.map(labelsFor)
}

/** Cosine of every node with each query's source node. A row per query. */
export const cosineLabels = (nodes: readonly Float32Array[], sources: readonly number[]): readonly Float64Array[] =>
  sources.map((source) => Float64Array.from(nodes, (node) => cosine(node, nodes[source]!)))

/** The queries of one graph of a batch, as rows of `dim` numbers, and the node rankings of their labels. */
export interface GraphQueries {
  readonly nodes: number
  readonly queries: Float64Array
  readonly rankings: readonly Ranking[]
}

/** The mean loss over the graphs of a batch, and its gradient by all outputs. Scores are inner products. */
export function batchLoss(
  graphs: readonly GraphQueries[],
  outputs: Float64Array,
  dim: number,
  weighing: Weighing,
): Loss & { readonly total: number; readonly byOutput: Float64Array } {
  const queries = concatenate(graphs.map((graph) => graph.queries))
  const queryCount = queries.length / dim
  const nodes = outputs.length / dim
  const scores = productWithTranspose(queries, outputs, queryCount, dim, nodes)
  const byScore = new Float64Array(scores.length)
  let contrastive = 0
  let ranking = 0
  let query = 0
  let first = 0
  for (const { rankings, nodes: graphNodes } of graphs) {
    const start = query * nodes
    const rowsOf = (all: Float64Array) =>
      Array.from(rankings, (_, place) => all.subarray(start + place * nodes, start + (place + 1) * nodes))
    const graphScores = { rows: rowsOf(scores), first, end: first + graphNodes, rankings }
    const loss = graphLoss(graphScores, weighing, 1 / graphs.length, rowsOf(byScore))
    contrastive += loss.contrastive / graphs.length
    ranking += loss.ranking / graphs.length
    query += rankings.length
    first += graphNodes
  }
  const byOutput = transposedProduct(byScore, queries, nodes, queryCount, dim)
  const total = weighing.contrastive * contrastive + weighing.coe * ranking
  return { contrastive, ranking, total, byOutput }
}

/** Arrays one after the other; a single one is not copied. */
export function concatenate(arrays: readonly Float64Array[]): Float64Array {
  if (arrays.length === 1) return arrays[0]!
  const all = new Float64Array(arrays.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const array of arrays) {
    all.set(array, at)
    at += array.length
  }
  return all
}
