import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { sum } from '../math/statistics/descriptive.ts'
import type { Passage } from '../types.ts'
import { longestStart } from './shared/longest-start.ts'
import { wholeDocuments, wholePassage, type WholeDocument } from './shared/whole-documents.ts'

/** Tokens reserved in a window: 512 for instructions and question, 1024 for the reply (our reading). */
const reservedTokens = 1536

const options = z
  .strictObject({
    window: z
      .int()
      .min(1)
      .optional()
      .describe(
        'Tokens that the model reads and writes together, such as 8192. The documents are cut to it less 1536: 512 for instructions and question, 1024 for the reply (our reading). Not set: they are not cut.',
      ),
  })
  .refine(({ window = Infinity }) => window > reservedTokens, {
    path: ['window'],
    error: `must be larger than the ${reservedTokens} tokens that are kept free, or nothing of the documents is shown`,
  })

/** Baseline without retrieval: all documents in one long context. */
export const fullContext = defineMethod({
  name: 'full-context',
  summary: 'Gives all documents of the corpus whole and in order, outside the budget.',
  options,
  context: 'unlimited',
  ranks: false,
  async index(chunks, models, { window = Infinity }) {
    const documents = wholeDocuments(chunks)
    const excerpts = excerptsOf(documents, window - reservedTokens, models.countTokens)
    const passages = excerpts.map(passageOf)
    const omittedTokens = sum(excerpts.map((excerpt) => excerpt.omittedTokens))
    return {
      retrieve: async () => passages.filter(({ text }) => text !== ''),
      warnings: () => ({
        'tokens of documents that are not shown': omittedTokens,
        'documents that are not shown to their end': excerpts.filter((excerpt) => excerpt.isCut).length,
      }),
    }
  },
})

/** A document, or its beginning, with the chunks that stand in it. */
const passageOf = (document: WholeDocument): Passage => {
  const chunks = document.chunks.filter(({ start }) => start < document.text.length)
  return wholePassage({ ...document, chunks })
}

/** The documents, cut to `limit` tokens: whole ones, the beginning of the next, nothing of the rest. */
function excerptsOf(documents: readonly WholeDocument[], limit: number, countTokens: (text: string) => number) {
  let room = limit
  return documents.map((document) => {
    if (room === Infinity) return { ...document, isCut: false, omittedTokens: 0 }
    const tokens = countTokens(document.text)
    const isCut = tokens > room
    const text = isCut ? longestStart(document.text, room, countTokens) : document.text
    const shownTokens = isCut ? countTokens(text) : tokens
    room = isCut ? 0 : room - tokens
    return { ...document, text, isCut, omittedTokens: tokens - shownTokens }
  })
}
