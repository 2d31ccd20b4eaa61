import { countEach, itemAt } from '../../basics/collections.ts'
import { topK } from '../../math/vectors.ts'
import type { Chunk, Models } from '../../types.ts'
import { documentVectors, queryVector } from './embed.ts'

/** A text that represents a chunk in a search: a window of it, or a fact. */
export interface ChunkPart {
  readonly chunk: Chunk
  readonly text: string
}

/** Indexes chunks by their parts; a search returns the nearest part of each chunk, best first. */
export async function indexParts(parts: readonly ChunkPart[], models: Models) {
  const rows = await documentVectors(
    parts.map(({ text }) => text),
    models,
  )
  const maxPartsPerChunk = Math.max(1, ...countEach(parts.map(({ chunk }) => chunk)).values())
  return {
    dimension: rows.columns,
    search: async (question: string, count: number, models: Models) => {
      if (parts.length === 0) return []
      // enough parts to cover `count` chunks
      const depth = Math.min(parts.length, count * maxPartsPerChunk)
      const best = new Map<Chunk, ChunkPart & { readonly score: number }>()
      for (const { index, score } of topK(await queryVector(question, models), rows, depth)) {
        const part = itemAt(parts, index)
        if (!best.has(part.chunk)) best.set(part.chunk, { ...part, score })
      }
      return [...best.values()].slice(0, count)
    },
  }
}
