import { itemAt } from '../../basics/collections.ts'
import type { ScoredIndex } from '../../math/highest.ts'
import type { Chunk, Passage, Trace } from '../../types.ts'

/** Ranked chunks, by their rows, as passages. */
export const chunkPassages = (
  hits: readonly ScoredIndex[],
  chunks: readonly Chunk[],
  traceOf: (hit: ScoredIndex, rank: number) => Trace,
): readonly Passage[] =>
  hits.map((hit, rank) => {
    const { id, text } = itemAt(chunks, hit.index)
    return { text, score: hit.score, from: [id], kind: 'chunk', why: traceOf(hit, rank) }
  })
