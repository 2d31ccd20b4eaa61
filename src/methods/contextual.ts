import { z } from 'zod'
import { addFields, valueOf } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { situateChunk } from '../tasks/pieces.ts'
import type { IndexStats, Method, Part } from '../types.ts'
import { runEach } from './shared/attempt.ts'
import { askedMethod, askedTogether, indexesOf, rankingOf, tasksWith } from './shared/ranking-method.ts'
import { shownDocuments } from './shared/whole-documents.ts'

const options = z.strictObject({
  of: askedMethod
    .default('hybrid')
    .describe(
      'The method that indexes the chunks with their lines; one that returns chunks as they are: bm25, tf-idf, vector, or a hybrid of these',
    ),
})

type ContextualOptions = z.infer<typeof options>

const over = (parts: readonly Part[]): Pick<Method<ContextualOptions>, 'tasks' | 'index'> => ({
  tasks: () => tasksWith([situateChunk], parts),
  async index(chunks, models) {
    const documents = shownDocuments(chunks, (text) => models.countTokens(text))
    const shown = new Map(documents.map((document) => [document.id, document.shown]))
    const lines = await runEach(
      models,
      situateChunk,
      chunks.map(({ documentId, text }) => ({ document: valueOf(shown, documentId), chunk: text })),
    )
    const situated = chunks.map((chunk, at) => ({
      ...chunk,
      text: lines[at] === undefined ? chunk.text : `${lines[at]}\n\n${chunk.text}`,
    }))
    const known = new Map(chunks.map((chunk, at) => [chunk.id, { chunk, line: lines[at] }]))
    const indexes = await indexesOf(parts, situated, models)
    return {
      ...askedTogether(indexes),
      nested: indexes.every(({ nested = false }) => nested),
      async retrieve(query, budget, models) {
        const [index] = indexes
        if (!index) return []
        const found = await rankingOf(index, query, budget.passages, models)
        return found.map((passage) => {
          const [id = '', ...more] = passage.from
          const { chunk, line } = known.get(id) ?? {}
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

/** Chunks are indexed with a line that says where they stand in their document, and read as they are. */
export const contextual = defineMethod({
  name: 'contextual',
  summary:
    'Has a language model write for each chunk where it stands in its document; indexes chunk and line by another method.',
  paper: 'Anthropic 2024, Introducing Contextual Retrieval',
  options,
  ...over([]),
  over,
})
