import type { Knowledge } from '../hipporag/knowledge.ts'
import type { LinkedFact } from './link-facts.ts'

/** A phrase by its row, and its mass in the reset. */
export interface PhraseWeight {
  readonly phrase: number
  readonly weight: number
}

/**
 * The phrases of the kept facts: each end of a fact gets its score over the number of passages that hold the phrase, averaged over the
 * times it was met; the heaviest are kept (HippoRAG 2, its code). Equal ones go by fact, subject before object
 * (our reading); a fact scored 0 gives none.
 */
export function phraseWeights(kept: readonly LinkedFact[], { holders }: Knowledge, most: number): PhraseWeight[] {
  const met = new Map<number, { sum: number; times: number }>()
  for (const { fact, score } of kept)
    for (const phrase of [fact.subject, fact.object]) {
      if (phrase === undefined) continue
      const { sum, times } = met.get(phrase) ?? { sum: 0, times: 0 }
      met.set(phrase, { sum: sum + score / Math.max(1, holders[phrase]?.length ?? 0), times: times + 1 })
    }
  return Array.from(met, ([phrase, { sum, times }]) => ({ phrase, weight: sum / times }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, most)
}
