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
  async index(chunks, models, options) {
    const documents = wholeDocuments(chunks)
    const limit = limitOf(options)
    if (limit === Infinity) {
      const passages = documents.map(passageOf)
      return {
        retrieve: async () => passages,
        stats: () => ({ documents: documents.length, tokensLeftOut: 0 }),
      }
    }
    const count = (text: string): number => models.countTokens(text)
    const { passages, tokens, omittedTokens, completeCount } = fitDocuments(documents, limit, count)
    return {
      retrieve: async () => passages,
      stats: () => ({ documents: documents.length, tokens, tokensLeftOut: omittedTokens }),
      warnings: () => ({
        'tokens of documents that are not shown': omittedTokens,
        'documents that are not shown to their end': documents.length - completeCount,
      }),
    }
  },
})

const limitOf = ({ window = Infinity }: z.output<typeof options>): number => window - reservedTokens

/** A document, or its beginning, with the chunks that stand in it. */
const passageOf = (document: WholeDocument): Passage => {
  const chunks = document.chunks.filter(({ start }) => start < document.text.length)
  return wholePassage({ ...document, chunks })
}

function fitDocuments(documents: readonly WholeDocument[], limit: number, countTokens: (text: string) => number) {
  const lengths = documents.map(({ text }) => countTokens(text))
  const tokens = sum(lengths)
  const excerpts: WholeDocument[] = []
  let room = limit
  let omittedTokens = 0
  let completeCount = 0
  for (const [at, document] of documents.entries()) {
    const length = lengths[at] ?? 0
    const text =
      omittedTokens > 0 ? '' : length <= room ? document.text : longestStart(document.text, room, countTokens)
    if (text !== '') excerpts.push({ ...document, text })
    if (text === document.text) completeCount++
    const usedTokens = text === document.text ? length : countTokens(text)
    room -= usedTokens
    omittedTokens += length - usedTokens
  }
  const passages = excerpts.map((document, index) => ({
    ...passageOf(document),
    ...(omittedTokens > 0 && index === excerpts.length - 1 && { why: { tokensLeftOut: omittedTokens, tokens } }),
  }))
  return { passages, tokens, omittedTokens, completeCount }
}
