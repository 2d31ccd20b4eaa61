import { z } from 'zod'
import { defineMethod } from '../define.ts'
import type { Passage } from '../types.ts'
import { longestStart } from './longest-start.ts'
import { wholeDocuments, type WholeDocument } from './whole-documents.ts'

/** The bracket of long-context models: no retrieval at all. */
export const fullContext = defineMethod({
  name: 'full-context',
  summary: 'Gives every document of the corpus whole and in order, outside the budget.',
  options: z.strictObject({
    truncate: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'Tokens after which the documents are cut off; null gives them whole, and a call that does not fit the window of the model fails.',
      ),
  }),
  context: 'unlimited',
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

const passageOf = ({ text, chunks }: WholeDocument): Passage => ({
  text,
  score: 1,
  from: chunks.filter(({ start }) => start < text.length).map(({ id }) => id),
  kind: 'chunk',
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
