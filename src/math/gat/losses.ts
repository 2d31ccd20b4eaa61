import { exp, log } from '../portable.ts'
import { memoise } from '../../basics/memoise.ts'
import { cosine } from '../vectors.ts'
import { productTransposed, product, transposed } from '../kernels.ts'
import { newRoom, type Take } from './network.ts'

/** Whether nodes whose labels are equal are a pair of the ranking loss, in order (reference code), or none. */
export type TieRule = 'position' | 'skip'

/** The nodes of a graph as the label of one query orders them; `ties[i]`: node i has the label of the one before. */
interface Ranked {
  readonly order: Uint32Array
  readonly ties: Uint8Array
}

/** Orders nodes by falling label, equal labels by number. */
export function ranked(labels: ArrayLike<number>): Ranked {
  const order = Uint32Array.from({ length: labels.length }, (_, node) => node).sort(
    (a, b) => labels[b]! - labels[a]! || a - b,
  )
  const ties = Uint8Array.from(order, (node, place) => Number(place > 0 && labels[order[place - 1]!] === labels[node]))
  return { order, ties }
}

/** The scores of the queries of one graph: a row each, of its own nodes and of the other graphs' of the batch. */
interface GraphScores {
  readonly own: readonly Float64Array[]
  readonly other: readonly Float64Array[]
  readonly ranked: readonly Ranked[]
}

export interface Loss {
  readonly contrastive: number
  readonly ranking: number
}

/** How the losses are added: `contrastive` is 1, or 0 without that loss; `coe` weighs the ranking loss. */
export interface Weighing {
  readonly contrastive: 0 | 1
  readonly coe: number
  readonly tieRule: TieRule
}

/**
 * Both losses of one graph, and into `byOwn` and `byOther` the gradient of their weighted sum times `share`, added to
 * what is there. Contrastive: minus the log of the softmax of the best node among all nodes of the batch, mean over the
 * queries. Ranking: the logistic loss of every pair in order, differences clamped to ±50, mean over the pairs of the
 * graph.
 */
export function graphLoss(
  { own, other, ranked }: GraphScores,
  { contrastive: weight, coe, tieRule }: Weighing,
  share: number,
  byOwn: readonly Float64Array[],
  byOther: readonly Float64Array[],
): Loss {
  const pairs = ranked.reduce((sum, { ties }) => sum + pairsOf(ties, tieRule), 0)
  let [contrastive, ranking] = [0, 0]
  for (const [query, scores] of own.entries()) {
    const { order, ties } = ranked[query]!
    if (order.length === 0) continue
    const others = other[query] ?? new Float64Array()
    const factor = share / own.length
    contrastive += contrast(scores, others, order[0]!, weight * factor, byOwn[query]!, byOther[query]) / own.length
    if (pairs > 0)
      ranking += pairwise(scores, order, tieRule === 'skip' ? ties : undefined, (coe * share) / pairs, byOwn[query]!)
  }
  return { contrastive, ranking: pairs > 0 ? ranking / pairs : 0 }
}

/** Pairs of nodes in order; of a run of equal labels none with `skip`. */
function pairsOf(ties: Uint8Array, tieRule: TieRule): number {
  const all = (ties.length * (ties.length - 1)) / 2
  if (tieRule === 'position') return all
  let [left, run] = [all, 0]
  for (const tie of ties) {
    run = tie ? run + 1 : 0
    left -= run
  }
  return left
}

/** Log-sum-exp of all scores minus that of the best node. */
function contrast(
  own: Float64Array,
  other: Float64Array,
  best: number,
  factor: number,
  byOwn: Float64Array,
  byOther: Float64Array | undefined,
): number {
  let most = -Infinity
  for (const score of own) most = Math.max(most, score)
  for (const score of other) most = Math.max(most, score)
  let sum = 0
  for (const score of own) sum += exp(score - most)
  for (const score of other) sum += exp(score - most)
  const each = factor / sum
  for (let at = 0; at < own.length; at++) byOwn[at]! += each * exp(own[at]! - most)
  if (byOther) for (let at = 0; at < other.length; at++) byOther[at]! += each * exp(other[at]! - most)
  byOwn[best]! -= factor
  return most + log(sum) - own[best]!
}

/** Differences beyond it are clamped, and have no gradient. */
const clamp = 50
const [least50, most50] = [exp(-clamp), exp(clamp)]

/** The sum over pairs a before b of log(1 + exp(−(s_a − s_b))); `ties`: nodes that are no pair with the one before. */
function pairwise(
  scores: Float64Array,
  order: Uint32Array,
  ties: Uint8Array | undefined,
  factor: number,
  by: Float64Array,
): number {
  const sorted = new Float64Array(order.length)
  for (let place = 0; place < order.length; place++) sorted[place] = scores[order[place]!]!
  const gradient = new Float64Array(sorted.length)
  let [least, most] = [Infinity, -Infinity]
  for (const score of sorted) {
    least = Math.min(least, score)
    most = Math.max(most, score)
  }
  // exp of a difference is a product of two exps, where neither is beyond a double: one for each node, not for each
  // pair
  const middle = (least + most) / 2
  const up = sorted.map((score) => exp(score - middle))
  const down = sorted.map((score) => exp(middle - score))
  const isWide = most - least > clamp
  const isHuge = most - least > 1400
  let loss = 0
  for (let a = 0; a < sorted.length; a++) {
    let b = a + 1
    if (ties) while (b < sorted.length && ties[b]) b++
    let [product, own] = [1, 0]
    for (; b < sorted.length; b++) {
      let odds = up[b]! * down[a]!
      let outside = false
      if (isWide) {
        const difference = sorted[a]! - sorted[b]!
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
      own -= pull
      gradient[b]! += pull
    }
    loss += log(product)
    gradient[a]! += own
  }
  for (let place = 0; place < order.length; place++) by[order[place]!]! += factor * gradient[place]!
  return loss
}

/** The vectors of the tokens of one text, special ones first and last. */
type Tokens = readonly Float32Array[]

/**
 * BERTScore F of every node (candidate) against the text that each query was asked about (reference), which is a node
 * too: greedy matching by cosine without weights; the special tokens weigh 0 but can be matched. A row for each query.
 * A text of nothing but these scores 0.
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

/** The queries of one graph of a batch: rows of `dim` numbers, and how their labels order the nodes. */
export interface Asked {
  readonly nodes: number
  readonly queries: Float64Array
  readonly ranked: readonly Ranked[]
}

/** The loss of a batch, mean over its graphs, and its gradient by all outputs. A score is query times output. */
export function batchLoss(
  graphs: readonly Asked[],
  outputs: Float64Array,
  dim: number,
  weighing: Weighing,
  take: Take = newRoom,
): Loss & { readonly total: number; readonly byOutput: Float64Array } {
  const queries = joinedQueries(graphs, dim)
  const [asked, nodes] = [queries.length / dim, outputs.length / dim]
  const scores = productTransposed(queries, outputs, asked, dim, nodes, take(asked * nodes))
  const byScore = take(scores.length)
  let [contrastive, ranking, query, node] = [0, 0, 0, 0]
  for (const graph of graphs) {
    const rows = Array.from(graph.ranked, (_, place) => (query + place) * nodes)
    const rowsOf = (all: Float64Array) => rows.map((start) => all.subarray(start, start + nodes))
    const before = node
    const inside = (row: Float64Array) => row.subarray(before, before + graph.nodes)
    const outside = (row: Float64Array) => {
      const others = new Float64Array(nodes - graph.nodes)
      others.set(row.subarray(0, before))
      others.set(row.subarray(before + graph.nodes), before)
      return others
    }
    const byOther = rows.map(() => new Float64Array(nodes - graph.nodes))
    const loss = graphLoss(
      { own: rowsOf(scores).map(inside), other: rowsOf(scores).map(outside), ranked: graph.ranked },
      weighing,
      1 / graphs.length,
      rowsOf(byScore).map(inside),
      byOther,
    )
    for (const [place, row] of rowsOf(byScore).entries()) {
      row.set(byOther[place]!.subarray(0, before))
      row.set(byOther[place]!.subarray(before), before + graph.nodes)
    }
    contrastive += loss.contrastive / graphs.length
    ranking += loss.ranking / graphs.length
    query += graph.ranked.length
    node += graph.nodes
  }
  const byOutput = product(transposed(byScore, asked, nodes), queries, nodes, asked, dim, take(nodes * dim))
  const total = weighing.contrastive * contrastive + weighing.coe * ranking
  return { contrastive, ranking, total, byOutput }
}

function joinedQueries(graphs: readonly Asked[], dim: number): Float64Array {
  if (graphs.length === 1) return graphs[0]!.queries
  const all = new Float64Array(graphs.reduce((sum, { ranked }) => sum + ranked.length * dim, 0))
  let at = 0
  for (const { queries } of graphs) {
    all.set(queries, at)
    at += queries.length
  }
  return all
}
