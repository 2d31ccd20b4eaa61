import { exp, log } from '../portable.ts'

/** Whether nodes whose labels are equal are a pair of the ranking loss, in the order of their numbers (reference code), or none. */
export type TieRule = 'position' | 'skip'

/** The nodes of a graph as the label of one query orders them, the best first; `ties[i]`: node i of the order has the label of the one before. */
export interface Ranked {
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

/** The scores of the queries of one graph: a row each, of its own nodes and of those of the other graphs of the batch. */
export interface GraphScores {
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
 * Both losses of one graph, and into `byOwn` and `byOther` the gradient of their weighted sum times `share`, added to what is there. Contrastive: minus
 * the log of the softmax of the best node among all nodes of the batch, mean over the queries. Ranking: the logistic loss of every pair in
 * order, differences clamped to ±50, mean over the pairs of the graph.
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
  // exp of a difference is a product of two exps, where neither is beyond a double: one for each node, not for each pair
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
