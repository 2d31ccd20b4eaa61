import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { packRows, topK } from '../math/vectors.ts'

/** Dense retrieval, the "RAG" or "VectorRAG" row of most papers: exact search over the embedded chunks. */
export const vector = defineMethod({
  name: 'vector',
  summary: 'Ranks chunks by the cosine of their embedding with that of the question.',
  options: z.strictObject({}),
  async index(chunks, models) {
    const texts = chunks.map(({ text }) => text)
    const rows = packRows(texts.length > 0 ? await models.embed(texts, 'document') : [])
    return {
      async retrieve({ text }, { passages }, models) {
        if (chunks.length === 0) return []
        const [query] = await models.embed([text], 'query')
        if (!query) throw new Error('the embedder gave no vector for the question')
        return topK(query, rows, passages).flatMap(({ index, score }) => {
          const chunk = chunks[index]
          return chunk ? [{ text: chunk.text, score, from: [chunk.id], kind: 'chunk', why: { cosine: score } }] : []
        })
      },
      stats: () => ({ vectors: rows.rows, dimension: rows.columns }),
    }
  },
})
