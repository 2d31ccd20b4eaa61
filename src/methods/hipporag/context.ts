import { itemAt } from '../../basics/collections.ts'
import { highest } from '../../math/highest.ts'
import type { Budget, Passage, Trace } from '../../types.ts'
import type { Source } from './knowledge.ts'

/** The score of every passage. `isReached`: whether the walk reaches it; all are if absent. */
interface PassageScores {
  readonly scores: Float64Array
  readonly isReached?: (row: number) => boolean
}

/** The best passages by score, ties in order; unreached ones only with `padding`. */
export function contextOf(
  passages: readonly Source[],
  { scores, isReached }: PassageScores,
  { qaTopK, padding }: { readonly qaTopK: number | null; readonly padding: boolean },
  budget: Budget,
  questionTrace: Trace,
  traceOf: (row: number) => Trace,
): Passage[] {
  const unreachedCount = isReached ? passages.filter((_, row) => !isReached(row)).length : 0
  return highest(scores, Math.min(qaTopK ?? Infinity, budget.passages))
    .filter(({ index }) => padding || (isReached?.(index) ?? true))
    .map(({ index, score }, rank): Passage => {
      const { text, chunks: from } = itemAt(passages, index)
      const why =
        rank === 0
          ? { ...traceOf(index), ...questionTrace, ...(unreachedCount > 0 && { unreached: unreachedCount }) }
          : traceOf(index)
      return { text, score, from, kind: 'chunk', why }
    })
}

/** Scores scaled to [0, 1]; all 1 if they are equal (HippoRAG's min_max_normalize). */
export function minMax(scores: Float64Array): Float64Array {
  const lowest = scores.reduce((low, score) => Math.min(low, score), Infinity)
  const width = scores.reduce((high, score) => Math.max(high, score), -Infinity) - lowest
  return scores.map((score) => (width > 0 ? (score - lowest) / width : 1))
}
