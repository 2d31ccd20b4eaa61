import { groupBy, itemAt, valueOf } from '../../basics/collections.ts'
import { nearestShare } from '../../basics/metrics.ts'
import type { Passage, Trace } from '../../types.ts'
import { addTrace } from './add-trace.ts'
import { minMax } from './scores.ts'

/** How rankings are fused. `weights`: one per ranking, by default 1. */
export interface Fusion {
  readonly fusion: 'rrf' | 'score'
  /** Of `rrf`: added to every rank. */
  readonly k: number
  readonly weights: readonly number[]
}

/** The k of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
export const rankConstant = 60

/** Fuses rankings of passages; the trace has rank and score in each ranking, by its name. */
export function fusePassages(
  rankings: readonly (readonly Passage[])[],
  names: readonly string[],
  fusion: Fusion,
): readonly Passage[] {
  const traces = new Map<string, Trace>()
  for (const [at, ranking] of rankings.entries())
    for (const [rank, passage] of distinctPassages([ranking]).entries()) {
      const name = itemAt(names, at)
      const key = passageKey(passage)
      const place = { [`rank in ${name}`]: rank + 1, [`score in ${name}`]: passage.score }
      traces.set(key, { ...traces.get(key), ...place })
    }
  const fallbacks = rankings.flatMap(([first], at) => {
    const fallback = first?.why?.['fallback']
    return typeof fallback === 'string' ? [`${itemAt(names, at)}: ${fallback}`] : []
  })
  const shares = rankings.map(([first]) => first?.why?.[nearestShare])
  const share = shares.find((counts) => counts !== undefined)
  const ranking = fuseRankings(rankings, fusion).map(({ order: _, ...passage }) => {
    return { ...passage, why: valueOf(traces, passageKey(passage)) }
  })
  return addTrace(ranking, fallbacks, share === undefined ? {} : { [nearestShare]: share })
}

/**
 * Fuses rankings into one, best first, of passages with fused scores, each otherwise as it is first in them. `rrf`: the
 * sum of weight / (k + rank) over the rankings that contain the passage, ranks from 1 (Cormack, Clarke and Büttcher
 * 2009). `score`: the sum of weight · score, scaled to 0 to 1 per ranking. The first of duplicates in a ranking counts;
 * ties keep the order of the rankings.
 */
export function fuseRankings(
  rankings: readonly (readonly Passage[])[],
  { fusion, k, weights }: Fusion,
): readonly Passage[] {
  const lists = rankings.map((ranking) => distinctPassages([ranking]))
  const scores = new Map<string, number>()
  for (const [at, list] of lists.entries()) {
    const relativeScores = minMax(Float64Array.from(list, ({ score }) => score))
    for (const [rank, passage] of list.entries()) {
      const points = fusion === 'rrf' ? 1 / (k + rank + 1) : itemAt(relativeScores, rank)
      const key = passageKey(passage)
      scores.set(key, (scores.get(key) ?? 0) + (weights[at] ?? 1) * points)
    }
  }
  return distinctPassages(lists)
    .map((passage) => ({ ...passage, score: valueOf(scores, passageKey(passage)) }))
    .sort((a, b) => b.score - a.score)
}

/** Each passage once, in order of first sight. */
export const distinctPassages = (lists: readonly (readonly Passage[])[]): readonly Passage[] =>
  Array.from(groupBy(lists.flat(), passageKey).values(), ([first]) => first)

/** Passages of one kind, text and origin are equal. */
export const passageKey = ({ kind, text, from }: Passage): string => JSON.stringify([kind, text, from])
