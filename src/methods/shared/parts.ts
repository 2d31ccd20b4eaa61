import { countEach } from '../../basics/collections.ts'
import type { Chunk, Index, Models, Passage } from '../../types.ts'
import { embedTexts, nearestItems, queryVector } from './embed.ts'

/** A text that represents a chunk in a search: a window of it, or a fact. */
export interface ChunkPart {
  readonly chunk: Chunk
  readonly text: string
}

/** An index of chunks by their parts: it ranks chunks by their nearest part; the trace has its text under `label`. */
export async function indexParts(parts: readonly ChunkPart[], models: Models, label: string): Promise<Index> {
  const rows = await embedTexts(parts, models)
  const maxPartsPerChunk = Math.max(1, ...countEach(parts.map(({ chunk }) => chunk)).values())
  return {
    nested: true,
    async retrieve({ text: question }, { passages }, models) {
      if (parts.length === 0) return []
      // enough parts to cover that many chunks
      const depth = Math.min(parts.length, passages * maxPartsPerChunk)
      const best = new Map<Chunk, Passage>()
      for (const { item, score } of nearestItems(await queryVector(question, models), rows, depth)) {
        const { chunk, text } = item
        if (best.has(chunk)) continue
        const why = { cosine: score, [label]: text }
        best.set(chunk, { text: chunk.text, score, from: [chunk.id], kind: 'chunk', why })
      }
      return [...best.values()].slice(0, passages)
    },
  }
}
