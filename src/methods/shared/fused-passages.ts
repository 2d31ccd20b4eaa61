import { itemAt } from '../../basics/collections.ts'
import { nearestShare } from '../../basics/metrics.ts'
import type { Passage, Trace } from '../../types.ts'

/**
 * The passages of all rankings, best first; each says where it stood in each. The same passage in two rankings has the
 * same text of the same chunks. `names`: of the rankings.
 */
export function fusedPassages(
  rankings: readonly (readonly Passage[])[],
  names: readonly string[],
  fusion: Fusion,
): readonly Passage[] {
  const places = new Map<string, { passage: Passage; why: Record<string, Trace[string]> }>()
  for (const [at, ranking] of rankings.entries())
    for (const [rank, passage] of ranking.entries()) {
      const place = places.get(passageKey(passage)) ?? { passage, why: {} }
      const name = itemAt(names, at)
      if (!(`rank in ${name}` in place.why))
        Object.assign(place.why, { [`rank in ${name}`]: rank + 1, [`score in ${name}`]: passage.score })
      places.set(passageKey(passage), place)
    }
  const fallbacks = rankings.flatMap(([first], at) => {
    const said = first?.why?.['fallback']
    return typeof said === 'string' ? [`${itemAt(names, at)}: ${said}`] : []
  })
  const counted = rankings.map(([first]) => first?.why?.[nearestShare]).find((said) => said !== undefined)
  const ranked = fuse(
    rankings.map((ranking) => ranking.map((passage) => ({ key: passageKey(passage), score: passage.score }))),
    fusion,
  )
  return ranked.flatMap(({ key, score }, rank) => {
    const place = places.get(key)
    if (!place) return []
    const { order: _order, why: _why, ...passage } = place.passage
    const recall = rank === 0 && counted && { [nearestShare]: counted }
    const fallback = rank === 0 && fallbacks.length > 0 && { fallback: fallbacks.join('; ') }
    return [{ ...passage, score, why: { ...place.why, ...recall, ...fallback } }]
  })
}

/** The same passage in two rankings has one key. */
export const passageKey = ({ kind, text, from }: Passage): string => JSON.stringify([kind, text, from])

/** An item of a ranking. */
export interface Ranked {
  readonly key: string
  readonly score: number
}

/** How rankings are made one. `weights`: one a ranking. */
export interface Fusion {
  readonly fusion: 'rrf' | 'score'
  /** Of `rrf`: added to every rank. */
  readonly k: number
  readonly weights: readonly number[]
}

/** What `rrf` adds to every rank: the k of Cormack, Clarke and Büttcher (2009). */
export const rankConstant = 60

/**
 * One ranking of the items of several, best first. `rrf`: the sum of weight / (k + rank) over the rankings that hold
 * the item, ranks from 1 (Cormack, Clarke and Büttcher 2009). `score`: the sum of weight · score between 0 and 1. Of
 * an item that a ranking holds twice
 * the first counts; equal sums stand in the order of the rankings.
 */
export function fuse(rankings: readonly (readonly Ranked[])[], fusion: Fusion): readonly Ranked[] {
  const tables = rankings.map((ranking) => pointsOf(distinct(ranking), fusion))
  const keys = [...new Set(tables.flatMap((points) => [...points.keys()]))]
  const scoreOf = (key: string): number =>
    tables.reduce((sum, points, index) => sum + (fusion.weights[index] ?? 1) * (points.get(key) ?? 0), 0)
  return keys.map((key) => ({ key, score: scoreOf(key) })).sort((a, b) => b.score - a.score)
}

const distinct = (ranking: readonly Ranked[]): readonly Ranked[] => {
  const seen = new Set<string>()
  return ranking.filter(({ key }) => !seen.has(key) && seen.add(key))
}

/** What every item of one ranking is worth. */
function pointsOf(ranking: readonly Ranked[], { fusion, k }: Fusion): ReadonlyMap<string, number> {
  const values = fusion === 'rrf' ? ranking.map((_, rank) => 1 / (k + rank + 1)) : normalised(ranking)
  return new Map(ranking.map(({ key }, index) => [key, itemAt(values, index)]))
}

/** Scores from 0 to 1; where all are equal 1. */
function normalised(ranking: readonly Ranked[]): readonly number[] {
  const scores = ranking.map(({ score }) => score)
  const [least, greatest] = [Math.min(...scores), Math.max(...scores)]
  return scores.map((score) => (greatest > least ? (score - least) / (greatest - least) : 1))
}
