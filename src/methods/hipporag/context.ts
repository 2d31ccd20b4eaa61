import { highest } from '../../math/highest.ts'
import type { Passage, Trace } from '../../types.ts'
import type { Source } from './knowledge.ts'

/** What every passage is worth to a question. `reached`: whether it was found at all; where absent, all were. */
interface Worth {
  readonly scores: Float64Array
  readonly reached?: (row: number) => boolean
}

/** The best passages by score, equal ones in order; those that were not reached only pad the context. */
export function contextOf(
  passages: readonly Source[],
  { scores, reached }: Worth,
  { most, padding }: { readonly most: number; readonly padding: boolean },
  shared: Trace,
  own: (row: number) => Trace,
): Passage[] {
  const unreached = reached ? passages.filter((_, row) => !reached(row)).length : 0
  return highest(scores, most)
    .filter(({ index }) => padding || (reached?.(index) ?? true))
    .flatMap(({ index, score }, rank): Passage[] => {
      const passage = passages[index]
      if (!passage) return []
      const why = rank === 0 ? { ...own(index), ...shared, ...(unreached > 0 && { unreached }) } : own(index)
      return [{ text: passage.text, score, from: passage.chunks, kind: 'chunk', why }]
    })
}

/** Scores moved to [0, 1]; all 1 where they are equal (HippoRAG's min_max_normalize). */
export function minMax(scores: Float64Array): Float64Array {
  const lowest = scores.reduce((low, score) => Math.min(low, score), Infinity)
  const width = scores.reduce((high, score) => Math.max(high, score), -Infinity) - lowest
  return scores.map((score) => (width > 0 ? (score - lowest) / width : 1))
}
