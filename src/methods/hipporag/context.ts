import { highest } from '../../math/vectors.ts'
import type { Passage, Trace } from '../../types.ts'
import type { Source } from './passages.ts'

/** The best passages by score, equal ones in order; what they share of the trace stands with the first. */
export function contextOf(
  passages: readonly Source[],
  scores: Float64Array,
  most: number,
  shared: Trace,
  own: (row: number) => Trace,
): Passage[] {
  return highest(scores, most).flatMap(({ index, score }, rank): Passage[] => {
    const passage = passages[index]
    if (!passage) return []
    const why = rank === 0 ? { ...own(index), ...shared } : own(index)
    return [{ text: passage.text, score, from: passage.chunks, kind: 'chunk', why }]
  })
}
