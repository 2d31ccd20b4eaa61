import { z } from 'zod'
import { itemAt, valueOf } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { around, embedCalls, exactly, taskCalls } from '../math/expected.ts'
import { dot, topK } from '../math/vectors.ts'
import { summarise } from '../tasks/pieces.ts'
import type { CorpusFacts, Passage } from '../types.ts'
import { runEach } from './shared/attempt.ts'
import { documentVectors, queryVector } from './shared/embed.ts'
import { embeddedQuestions, embeddedTexts, filledContext, lengthsOf, tokensOf } from './shared/expected-calls.ts'
import { cutSummary } from './shared/longest-start.ts'
import { byDocument, shownDocuments, shownTokens } from './shared/whole-documents.ts'

/** Documents searched together: their chunks come first, those of the next so many documents after them (our reading). */
const together = 3

/** The most tokens of a summary; more is cut off (our reading). */
const summaryTokens = 200

/** Documents are found by their summaries, then chunks within them (LlamaIndex's DocumentSummaryIndex, with chunks). */
export const summaryIndex = defineMethod({
  name: 'summary-index',
  summary:
    'Has a language model summarise each document; ranks the chunks of the documents whose summaries are nearest to the question.',
  options: z.strictObject({}),
  tasks: [summarise],
  embedsChunks: () => true,
  costs: (facts) => ({
    index: [...summaryCalls(facts), embeddedTexts(facts.chunks, 'vectors of chunks')],
    retrieve: [embeddedQuestions(facts)],
    context: () => filledContext(lengthsOf(facts.chunks), facts.budget),
  }),
  async index(chunks, models) {
    const documents = shownDocuments(chunks, (text) => models.countTokens(text))
    const replies = await runEach(
      models,
      summarise,
      documents.map(({ shown }) => ({ texts: [shown], tokens: summaryTokens })),
    )
    const summaries = replies.map((reply, at) =>
      cutSummary(reply ?? itemAt(documents, at).shown, summaryTokens, (text) => models.countTokens(text)),
    )
    const summaryRows = await documentVectors(
      summaries.map(({ text }) => text),
      models,
    )
    const vectors =
      chunks.length > 0
        ? await models.embed(
            chunks.map(({ text }) => text),
            'document',
          )
        : []
    return {
      nested: true,
      async retrieve({ text }, { passages }, models) {
        if (chunks.length === 0) return []
        const query = await queryVector(text, models)
        const places = topK(query, summaryRows, documents.length).map(({ index }, rank) => ({ index, rank }))
        const rankOf = new Map(places.map(({ index, rank }) => [itemAt(documents, index).id, { index, rank }]))
        return chunks
          .map((chunk, at) => ({
            chunk,
            cosine: dot(query, itemAt(vectors, at)),
            ...valueOf(rankOf, chunk.documentId),
          }))
          .sort((a, b) => Math.floor(a.rank / together) - Math.floor(b.rank / together) || b.cosine - a.cosine)
          .slice(0, passages)
          .map(({ chunk, cosine, index, rank }, at): Passage => {
            const why = { cosine, 'rank of document': rank + 1, summary: itemAt(summaries, index).text }
            return { text: chunk.text, score: 1 / (at + 1), from: [chunk.id], kind: 'chunk', why }
          })
      },
      stats: () => ({ summaries: documents.length, vectors: vectors.length, dimension: summaryRows.columns }),
      warnings: () => ({
        'documents without a summary, which their beginning stands for': replies.filter((one) => one === undefined)
          .length,
        'summaries that were cut off': summaries.filter(({ cut }, at) => cut && replies[at] !== undefined).length,
        'documents that were summarised in part': documents.filter(({ isCut }) => isCut).length,
      }),
    }
  },
})

function summaryCalls({ chunks, countTokens }: CorpusFacts) {
  const lengths = Array.from(byDocument(chunks).values(), tokensOf)
  const shown = lengths.map((length) => Math.min(length, shownTokens))
  const tokens = shown.reduce((sum, length) => sum + length, 0)
  // a short text has a summary no longer than itself
  const summaries = shown.reduce((sum, length) => sum + Math.min(length, 0.8 * summaryTokens), 0)
  const calls = {
    calls: exactly(shown.length),
    texts: exactly(tokens),
    reply: around(summaries / Math.max(1, shown.length)),
  }
  return [
    {
      once: 'summaries of documents',
      ...taskCalls(summarise, { texts: [], tokens: summaryTokens }, calls, countTokens),
    },
    {
      once: 'vectors of summaries',
      ...embedCalls(exactly(Math.min(1, shown.length)), around(summaries)),
    },
  ]
}
