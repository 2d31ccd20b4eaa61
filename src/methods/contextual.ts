import { z } from 'zod'
import { valueOf } from '../basics/collections.ts'
import { situateChunk } from '../tasks/pieces.ts'
import { runEach } from './shared/attempt.ts'
import { defineComposite, methodOption, rankingOf } from './shared/ranking-method.ts'
import { documentExcerpts } from './shared/whole-documents.ts'

/** Indexes each chunk with a generated line about its place in the document; the passage is the chunk alone. */
export const contextual = defineComposite({
  name: 'contextual',
  summary:
    'Has a language model write for each chunk where it stands in its document; indexes chunk and line by another method.',
  paper: 'Anthropic 2024, Introducing Contextual Retrieval',
  options: z.strictObject({
    of: methodOption(
      'hybrid',
      'The method that indexes the chunks with their lines; one that returns chunks as they are: bm25, tf-idf, vector, or a hybrid of these',
    ),
  }),
  tasks: () => [situateChunk],
  async index(open, chunks, models) {
    const documents = documentExcerpts(chunks, models.countTokens)
    const excerpts = new Map(documents.map((document) => [document.id, document.excerpt]))
    const lines = await runEach(models, situateChunk, chunks, ({ documentId, text }) => ({
      document: valueOf(excerpts, documentId),
      chunk: text,
    }))
    const sourceById = new Map(chunks.map((chunk, at) => [chunk.id, { chunk, line: lines[at] }]))
    const [index] = await open(
      chunks.map((chunk, at) => ({
        ...chunk,
        text: lines[at] === undefined ? chunk.text : `${lines[at]}\n\n${chunk.text}`,
      })),
    )
    return {
      nested: index?.nested ?? true,
      async retrieve(query, budget, models) {
        if (!index) return []
        const ranking = await rankingOf(index, query, budget.passages, models)
        return ranking.map((passage) => {
          const [id = '', ...more] = passage.from
          const { chunk, line } = sourceById.get(id) ?? {}
          if (passage.kind !== 'chunk' || !chunk || more.length > 0)
            throw new Error(
              'contextual: the method of "of" returns passages that are no chunks; name bm25, tf-idf, vector or a hybrid of these',
            )
          return { ...passage, text: chunk.text, why: { ...passage.why, ...(line !== undefined && { line }) } }
        })
      },
      warnings: () => ({
        'chunks without a line': lines.filter((line) => line === undefined).length,
        'documents that were shown in part': documents.filter(({ isCut }) => isCut).length,
      }),
    }
  },
})
