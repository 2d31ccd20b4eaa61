import { z } from 'zod'
import { itemAt, valueOf } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { products, topK } from '../math/vectors.ts'
import { summarise } from '../tasks/pieces.ts'
import type { Passage } from '../types.ts'
import { runEach } from './shared/attempt.ts'
import { embedTexts, queryVector } from './shared/embed.ts'
import { cutSummary } from './shared/longest-start.ts'
import { documentExcerpts } from './shared/whole-documents.ts'

/** Documents per group: chunks are ranked within the first group of documents, then within the next (our reading). */
const groupSize = 3

/** Maximum tokens of a summary; longer ones are truncated (our reading). */
const summaryTokens = 200

/** Retrieves documents by their summaries, then chunks within them (LlamaIndex's DocumentSummaryIndex, with chunks). */
export const summaryIndex = defineMethod({
  name: 'summary-index',
  summary:
    'Has a language model summarise each document; ranks the chunks of the documents whose summaries are nearest to the question.',
  options: z.strictObject({}),
  tasks: [summarise],
  async index(chunks, models) {
    const documents = documentExcerpts(chunks, models.countTokens)
    const replies = await runEach(models, summarise, documents, ({ excerpt }) => ({
      texts: [excerpt],
      tokens: summaryTokens,
    }))
    const summaries = replies.map((reply, at) =>
      cutSummary(reply ?? itemAt(documents, at).excerpt, summaryTokens, models.countTokens),
    )
    const { vectors: summaryRows } = await embedTexts(summaries, models)
    const { vectors } = await embedTexts(chunks, models)
    return {
      nested: true,
      async retrieve({ text }, { passages }, models) {
        if (chunks.length === 0) return []
        const query = await queryVector(text, models)
        const cosines = products(query, vectors)
        const ranking = topK(query, summaryRows, documents.length)
        const places = ranking.map(({ index }, rank) => ({ index, rank }))
        const rankOf = new Map(places.map(({ index, rank }) => [itemAt(documents, index).id, { index, rank }]))
        const groupOf = (rank: number) => Math.floor(rank / groupSize)
        return chunks
          .map((chunk, at) => ({
            chunk,
            cosine: itemAt(cosines, at),
            ...valueOf(rankOf, chunk.documentId),
          }))
          .sort((a, b) => groupOf(a.rank) - groupOf(b.rank) || b.cosine - a.cosine)
          .slice(0, passages)
          .map(({ chunk, cosine, index, rank }, at): Passage => {
            const why = { cosine, 'rank of document': rank + 1, summary: itemAt(summaries, index).text }
            return { text: chunk.text, score: 1 / (at + 1), from: [chunk.id], kind: 'chunk', why }
          })
      },
      warnings() {
        const gaps = replies.filter((reply) => reply === undefined)
        const cutSummaries = summaries.filter(({ cut }, at) => cut && replies[at] !== undefined)
        const cutDocuments = documents.filter(({ isCut }) => isCut)
        return {
          'documents without a summary, which their beginning stands for': gaps.length,
          'summaries that were cut off': cutSummaries.length,
          'documents that were summarised in part': cutDocuments.length,
        }
      },
    }
  },
})
