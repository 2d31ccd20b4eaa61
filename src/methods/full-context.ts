import { z } from 'zod'
import { defineMethod } from '../define.ts'
import type { Passage } from '../types.ts'
import { longestStart } from './shared/longest-start.ts'
import { wholeDocuments, type WholeDocument } from './shared/whole-documents.ts'

/** Tokens of a window that no document takes: 512 for instructions and question, 1024 for the reply (our reading). */
const keptFree = 1536

const options = z
  .strictObject({
    window: z
      .int()
      .min(1)
      .optional()
      .describe(
        'Number of tokens that the model reads and writes together, such as 8192: the documents are cut to it less 1536, 512 for instructions and question and 1024 for the reply (our reading), counted with the tokenizer of the run; not set: they are not cut, and a call that exceeds the window fails.',
      ),
  })
  .refine(({ window = Infinity }) => window > keptFree, {
    path: ['window'],
    error: `must be larger than the ${keptFree} tokens that are kept free, or nothing of the documents is shown`,
  })

/** A reference row of every table: a long context and no retrieval at all. */
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
    const { passages, tokens, leftOut, whole } = cutOff(documents, limit, (text) => models.countTokens(text))
    return {
      retrieve: async () => passages,
      stats: () => ({ documents: documents.length, tokens, tokensLeftOut: leftOut }),
      warnings: () => ({
        'tokens of documents that are not shown': leftOut,
        'documents that are not shown to their end': documents.length - whole,
      }),
    }
  },
})

/** The most tokens of documents that are shown. */
const limitOf = ({ window = Infinity }: z.output<typeof options>): number => window - keptFree

const sum = (lengths: readonly number[]): number => lengths.reduce((all, length) => all + length, 0)

const passageOf = ({ id, text, chunks }: WholeDocument): Passage => ({
  text,
  score: 1,
  from: chunks.filter(({ start }) => start < text.length).map((chunk) => chunk.id),
  kind: 'chunk',
  spans: [{ documentId: id, start: 0, end: text.length }],
})

/** The documents up to the limit; the last says in `why` how many tokens are not shown. `whole`: those shown whole. */
function cutOff(documents: readonly WholeDocument[], limit: number, countTokens: (text: string) => number) {
  const lengths = documents.map(({ text }) => countTokens(text))
  const tokens = sum(lengths)
  const kept: WholeDocument[] = []
  let [room, leftOut, whole] = [limit, 0, 0]
  for (const [at, document] of documents.entries()) {
    const length = lengths[at] ?? 0
    const text = leftOut > 0 ? '' : length <= room ? document.text : longestStart(document.text, room, countTokens)
    if (text !== '') kept.push({ ...document, text })
    if (text === document.text) whole++
    const used = text === document.text ? length : countTokens(text)
    room -= used
    leftOut += length - used
  }
  const passages = kept.map((document, index) => ({
    ...passageOf(document),
    ...(leftOut > 0 && index === kept.length - 1 && { why: { tokensLeftOut: leftOut, tokens } }),
  }))
  return { passages, tokens, leftOut, whole }
}
