import { itemAt } from '../../basics/collections.ts'
import { nearestFound } from '../../basics/metrics.ts'
import { fuse, type Fusion } from '../../math/fuse.ts'
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
  const counted = rankings.map(([first]) => first?.why?.[nearestFound]).find((said) => said !== undefined)
  const ranked = fuse(
    rankings.map((ranking) => ranking.map((passage) => ({ key: passageKey(passage), score: passage.score }))),
    fusion,
  )
  return ranked.flatMap(({ key, score }, rank) => {
    const found = places.get(key)
    if (!found) return []
    const { order: _order, why: _why, ...passage } = found.passage
    const recall = rank === 0 && counted && { [nearestFound]: counted }
    const fallback = rank === 0 && fallbacks.length > 0 && { fallback: fallbacks.join('; ') }
    return [{ ...passage, score, why: { ...found.why, ...recall, ...fallback } }]
  })
}

/** The same passage in two rankings has one key. */
export const passageKey = ({ kind, text, from }: Passage): string => JSON.stringify([kind, text, from])
