import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { topK } from '../math/vectors.ts'
import { documentVectors, queryVector } from './shared/embed.ts'
import { chunkCosts, embeddedChunks, embeddedQuestions } from './shared/expected-calls.ts'

/** Dense retrieval, the "RAG" or "VectorRAG" row of most papers: exact search over the embedded chunks. */
export const vector = defineMethod({
  name: 'vector',
  summary: 'Ranks chunks by the cosine similarity of their embedding and the embedding of the question.',
  options: z.strictObject({}),
  embedsChunks: () => true,
  costs: (facts) => ({
    index: [embeddedChunks(facts.chunks)],
    retrieve: [embeddedQuestions(facts)],
    context: chunkCosts(facts).context,
  }),
  async index(chunks, models) {
    const rows = await documentVectors(
      chunks.map(({ text }) => text),
      models,
    )
    return {
      nested: true,
      async retrieve({ text }, { passages }, models) {
        if (chunks.length === 0) return []
        return topK(await queryVector(text, models), rows, passages).flatMap(({ index, score }) => {
          const chunk = chunks[index]
          return chunk ? [{ text: chunk.text, score, from: [chunk.id], kind: 'chunk', why: { cosine: score } }] : []
        })
      },
      stats: () => ({ vectors: rows.rows, dimension: rows.columns }),
    }
  },
})
