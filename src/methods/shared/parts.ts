import { countEach, itemAt } from '../../basics/collections.ts'
import { topK } from '../../math/vectors.ts'
import type { Chunk, Models } from '../../types.ts'
import { documentVectors, queryVector } from './embed.ts'

/** A text that stands for a chunk in a search: a window of it, or a fact. */
export interface ChunkPart {
  readonly chunk: Chunk
  readonly text: string
}

/** Chunks searched by their parts: of each chunk the part nearest to the question, best first. */
export async function searchedParts(parts: readonly ChunkPart[], models: Models) {
  const rows = await documentVectors(
    parts.map(({ text }) => text),
    models,
  )
  const mostOfChunk = Math.max(1, ...countEach(parts.map(({ chunk }) => chunk)).values())
  return {
    dimension: rows.columns,
    search: async (question: string, count: number, models: Models) => {
      if (parts.length === 0) return []
      // so many parts are of at least as many chunks as are asked for
      const most = Math.min(parts.length, count * mostOfChunk)
      const best = new Map<Chunk, ChunkPart & { readonly score: number }>()
      for (const { index, score } of topK(await queryVector(question, models), rows, most)) {
        const part = itemAt(parts, index)
        if (!best.has(part.chunk)) best.set(part.chunk, { ...part, score })
      }
      return [...best.values()].slice(0, count)
    },
  }
}
