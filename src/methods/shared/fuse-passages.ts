import { groupBy, itemAt, valueOf } from '../../basics/collections.ts'
import { nearestShare } from '../../basics/metrics.ts'
import type { Passage, Trace } from '../../types.ts'
import { addTrace } from './add-trace.ts'
import { minMax } from './scores.ts'

/**
 * Fuses rankings of passages; the trace has rank and score in each ranking, by its name. Passages of two rankings are
 * equal if they have the same kind, text and chunks.
 */
export function fusePassages(
  rankings: readonly (readonly Passage[])[],
  names: readonly string[],
  fusion: Fusion,
): readonly Passage[] {
  const places = new Map<string, Record<string, Trace[string]>>()
  for (const [at, ranking] of rankings.entries())
    for (const [rank, passage] of ranking.entries()) {
      const why = places.get(passageKey(passage)) ?? {}
      const name = itemAt(names, at)
      if (!(`rank in ${name}` in why))
        Object.assign(why, { [`rank in ${name}`]: rank + 1, [`score in ${name}`]: passage.score })
      places.set(passageKey(passage), why)
    }
  const fallbacks = rankings.flatMap(([first], at) => {
    const fallback = first?.why?.['fallback']
    return typeof fallback === 'string' ? [`${itemAt(names, at)}: ${fallback}`] : []
  })
  const shares = rankings.map(([first]) => first?.why?.[nearestShare])
  const nearestCounts = shares.find((count) => count !== undefined)
  const ranking = fusedOrder(rankings, fusion).map((passage): Passage => {
    const { order: _order, why: _why, ...fields } = passage
    return { ...fields, why: valueOf(places, passageKey(passage)) }
  })
  const shareTrace = nearestCounts === undefined ? {} : { [nearestShare]: nearestCounts }
  return addTrace(ranking, fallbacks, shareTrace)
}

/** The passages of rankings in fused order, each as it is first in them, with its fused score. */
export function fusedOrder(rankings: readonly (readonly Passage[])[], fusion: Fusion): readonly Passage[] {
  const firstOfKey = groupBy(rankings.flat(), passageKey)
  const keys = rankings.map((ranking) =>
    ranking.map((passage) => {
      const key = passageKey(passage)
      return { key, score: passage.score }
    }),
  )
  return fuseRankings(keys, fusion).map(({ key, score }) => {
    const [passage] = valueOf(firstOfKey, key)
    return { ...passage, score }
  })
}

/** Equal passages of two rankings have equal keys. */
export const passageKey = ({ kind, text, from }: Passage): string => JSON.stringify([kind, text, from])

/** An item of a ranking. */
export interface Ranked {
  readonly key: string
  readonly score: number
}

/** How rankings are fused. `weights`: one per ranking. */
export interface Fusion {
  readonly fusion: 'rrf' | 'score'
  /** Of `rrf`: added to every rank. */
  readonly k: number
  readonly weights: readonly number[]
}

/** The k of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
export const rankConstant = 60

/**
 * Fuses rankings into one, best first. `rrf`: the sum of weight / (k + rank) over the rankings that contain the item,
 * ranks from 1 (Cormack, Clarke and Büttcher 2009). `score`: the sum of weight · score, scaled to 0 to 1 per ranking.
 * The first of duplicates in a ranking counts; ties keep the order of the rankings.
 */
export function fuseRankings(rankings: readonly (readonly Ranked[])[], fusion: Fusion): readonly Ranked[] {
  const tables = rankings.map((ranking) => pointsOf(distinct(ranking), fusion))
  const keys = [...new Set(tables.flatMap((points) => [...points.keys()]))]
  const scoreOf = (key: string): number =>
    tables.reduce((sum, points, index) => sum + (fusion.weights[index] ?? 1) * (points.get(key) ?? 0), 0)
  return keys.map((key) => ({ key, score: scoreOf(key) })).sort((a, b) => b.score - a.score)
}

const distinct = (ranking: readonly Ranked[]): readonly Ranked[] => {
  const keys = new Set<string>()
  return ranking.filter(({ key }) => !keys.has(key) && keys.add(key))
}

function pointsOf(ranking: readonly Ranked[], { fusion, k }: Fusion): ReadonlyMap<string, number> {
  const values =
    fusion === 'rrf'
      ? ranking.map((_, rank) => 1 / (k + rank + 1))
      : minMax(Float64Array.from(ranking, ({ score }) => score))
  return new Map(ranking.map(({ key }, index) => [key, itemAt(values, index)]))
}
