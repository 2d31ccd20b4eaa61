import { z } from 'zod'
import { addFields, valueOf } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { situateChunk } from '../tasks/pieces.ts'
import type { IndexStats, Method, Part } from '../types.ts'
import { runEach } from './shared/attempt.ts'
import { methodReference, combinedLifecycle, indexesOf, rankingOf, tasksWith } from './shared/ranking-method.ts'
import { documentExcerpts } from './shared/whole-documents.ts'

const options = z.strictObject({
  of: methodReference
    .default('hybrid')
    .describe(
      'The method that indexes the chunks with their lines; one that returns chunks as they are: bm25, tf-idf, vector, or a hybrid of these',
    ),
})

type ContextualOptions = z.infer<typeof options>

const over = (parts: readonly Part[]): Pick<Method<ContextualOptions>, 'tasks' | 'index'> => ({
  tasks: () => tasksWith([situateChunk], parts),
  async index(chunks, models) {
    const documents = documentExcerpts(chunks, (text) => models.countTokens(text))
    const excerpts = new Map(documents.map((document) => [document.id, document.excerpt]))
    const lines = await runEach(
      models,
      situateChunk,
      chunks.map(({ documentId, text }) => ({ document: valueOf(excerpts, documentId), chunk: text })),
    )
    const chunksWithLines = chunks.map((chunk, at) => ({
      ...chunk,
      text: lines[at] === undefined ? chunk.text : `${lines[at]}\n\n${chunk.text}`,
    }))
    const sourceById = new Map(chunks.map((chunk, at) => [chunk.id, { chunk, line: lines[at] }]))
    const indexes = await indexesOf(parts, chunksWithLines, models)
    return {
      ...combinedLifecycle(indexes),
      nested: indexes.every(({ nested = false }) => nested),
      async retrieve(query, budget, models) {
        const [index] = indexes
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
      stats: () => indexes.reduce<IndexStats>((all, index) => ({ ...all, ...index.stats?.() }), {}),
      warnings: () => ({
        ...addFields(...indexes.map((index) => index.warnings?.() ?? {})),
        'chunks without a line': lines.filter((line) => line === undefined).length,
        'documents that were shown in part': documents.filter(({ isCut }) => isCut).length,
      }),
    }
  },
})

/** Indexes each chunk with a generated line about its place in the document; the passage is the chunk alone. */
export const contextual = defineMethod({
  name: 'contextual',
  summary:
    'Has a language model write for each chunk where it stands in its document; indexes chunk and line by another method.',
  paper: 'Anthropic 2024, Introducing Contextual Retrieval',
  options,
  ...over([]),
  over,
})
