import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { exactly } from '../math/expected/estimate.ts'
import type { Passage } from '../types.ts'
import { longestStart } from './shared/longest-start.ts'
import { wholeDocuments, type WholeDocument } from './shared/whole-documents.ts'

/** A reference row of every table: a long context and no retrieval at all. */
export const fullContext = defineMethod({
  name: 'full-context',
  summary: 'Gives all documents of the corpus whole and in order, outside the budget.',
  options: z.strictObject({
    truncate: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'Largest number of tokens of the documents, the rest is cut off; null: no limit, and a call that exceeds the window of the model fails.',
      ),
  }),
  context: 'unlimited',
  ranks: false,
  costs({ chunks, countTokens }, { truncate }) {
    const lengths = wholeDocuments(chunks).map(({ text }) => countTokens(text))
    const whole = lengths.reduce((sum, length) => sum + length, 0)
    const context = { passages: exactly(lengths.length), tokens: exactly(Math.min(whole, truncate ?? Infinity)) }
    return { index: [], retrieve: [], context: () => context }
  },
  async index(chunks, models, { truncate }) {
    const documents = wholeDocuments(chunks)
    const passages =
      truncate === null ? documents.map(passageOf) : cutOff(documents, truncate, (text) => models.countTokens(text))
    return {
      retrieve: async () => passages,
      stats: () => ({ documents: documents.length, tokensLeftOut: passages.at(-1)?.why?.['tokensLeftOut'] ?? 0 }),
    }
  },
})

const passageOf = ({ id, text, chunks }: WholeDocument): Passage => ({
  text,
  score: 1,
  from: chunks.filter(({ start }) => start < text.length).map((chunk) => chunk.id),
  kind: 'chunk',
  spans: [{ documentId: id, start: 0, end: text.length }],
})

/** The documents up to the limit; the last of them says in `why` how many tokens were left out of it and after it. */
function cutOff(documents: readonly WholeDocument[], limit: number, countTokens: (text: string) => number): Passage[] {
  const kept: WholeDocument[] = []
  let room = limit
  let leftOut = 0
  for (const document of documents) {
    const tokens = countTokens(document.text)
    const text = leftOut > 0 ? '' : tokens <= room ? document.text : longestStart(document.text, room, countTokens)
    if (text !== '') kept.push({ ...document, text })
    const used = tokens <= room ? tokens : countTokens(text)
    room -= used
    leftOut += tokens - used
  }
  return kept.map((document, index) => ({
    ...passageOf(document),
    ...(leftOut > 0 && index === kept.length - 1 && { why: { tokensLeftOut: leftOut } }),
  }))
}
