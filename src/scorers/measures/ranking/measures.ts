/**
 * Measures of one ranking, as trec_eval defines them. `gains`: the judged relevance of what was retrieved, in rank order;
 * above 0 is relevant. `judged`: the relevance of everything judged for the question. All in 0..1; 0 when nothing is relevant.
 */

/** How many of the first k are relevant. */
export const hits = (gains: readonly number[], k: number): number => gains.slice(0, k).filter((gain) => gain > 0).length

/** Relevant ones among the first k, divided by k even when fewer were retrieved. */
export const precisionAt = (gains: readonly number[], k: number): number => (k === 0 ? 0 : hits(gains, k) / k)

/** Relevant ones among the first k, divided by all that are relevant. */
export function recallAt(gains: readonly number[], judged: readonly number[], k: number): number {
  const relevant = hits(judged, Infinity)
  return relevant === 0 ? 0 : hits(gains, k) / relevant
}

/** 1 when the first k hold a relevant one (trec_eval's success, the hit rate of others). */
export const hitAt = (gains: readonly number[], k: number): number => (hits(gains, k) > 0 ? 1 : 0)

/** One over the rank of the first relevant one among the first k. */
export function reciprocalRank(gains: readonly number[], k = Infinity): number {
  const first = gains.slice(0, k).findIndex((gain) => gain > 0)
  return first < 0 ? 0 : 1 / (first + 1)
}

/** Precision at the rank of every relevant one among the first k, summed and divided by all that are relevant. */
export function averagePrecisionAt(gains: readonly number[], judged: readonly number[], k: number): number {
  const relevant = hits(judged, Infinity)
  let found = 0
  let sum = 0
  gains.slice(0, k).forEach((gain, rank) => {
    if (gain > 0) sum += ++found / (rank + 1)
  })
  return relevant === 0 ? 0 : sum / relevant
}

/** Discounted gain of the first k, gain / log2(rank + 1), divided by that of the best order of all that is judged, cut at k too. */
export function ndcgAt(gains: readonly number[], judged: readonly number[], k: number): number {
  const ideal = discounted(
    judged.toSorted((a, b) => b - a),
    k,
  )
  return ideal === 0 ? 0 : discounted(gains, k) / ideal
}

const discounted = (gains: readonly number[], k: number): number =>
  gains.slice(0, k).reduce((sum, gain, rank) => sum + Math.max(gain, 0) / Math.log2(rank + 2), 0)
