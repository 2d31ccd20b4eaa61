import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { topK } from '../math/vectors.ts'
import { sentences } from '../text/sentences.ts'
import type { Chunk } from '../types.ts'
import { documentVectors, queryVector } from './shared/embed.ts'
import { unitAt, type SourceUnit } from './shared/text-units.ts'
import { wholeDocuments } from './shared/whole-documents.ts'

/** A sentence and what is read of it; `at`: its place among the sentences of its document. */
interface Sentence {
  readonly document: number
  readonly at: number
  readonly text: string
  readonly window: () => SourceUnit
}

/**
 * Sentences before and after the one that is found (LlamaIndex); one read as a neighbour is passed over (our reading).
 */
const neighbours = 3

/** Single sentences are searched, and their neighbours are read, too (LlamaIndex's SentenceWindowNodeParser). */
export const sentenceWindow = defineMethod({
  name: 'sentence-window',
  summary:
    'Ranks sentences by the cosine similarity of their embedding and the question’s; returns each with its neighbours.',
  options: z.strictObject({}),
  async index(chunks, models) {
    const found = sentencesOf(chunks, (text) => models.countTokens(text))
    const rows = await documentVectors(
      found.map(({ text }) => text),
      models,
    )
    return {
      nested: true,
      async retrieve({ text }, { passages }, models) {
        if (found.length === 0) return []
        // each window that is returned passes over at most so many others
        const asked = Math.min(found.length, passages * (2 * neighbours + 1))
        const read: Sentence[] = []
        return topK(await queryVector(text, models), rows, asked).flatMap(({ index, score }) => {
          const sentence = found[index]
          if (!sentence || read.length === passages) return []
          const { document, at } = sentence
          if (read.some((one) => one.document === document && Math.abs(one.at - at) <= neighbours)) return []
          read.push(sentence)
          const { text, from, span } = sentence.window()
          return [
            {
              text,
              score,
              from,
              kind: 'chunk',
              ...(span && { spans: [span] }),
              why: { cosine: score, sentence: sentence.text },
            },
          ]
        })
      },
      stats: () => ({ sentences: found.length, dimension: rows.columns }),
    }
  },
})

function sentencesOf(chunks: readonly Chunk[], count: (text: string) => number): readonly Sentence[] {
  return wholeDocuments(chunks).flatMap((whole, document) => {
    const all = sentences(whole.text).filter(({ start, end }) => whole.text.slice(start, end).trim() !== '')
    return all.map(({ start, end }, at) => {
      const [first = { start }, last = { end }] = [
        all[Math.max(0, at - neighbours)],
        all[Math.min(all.length - 1, at + neighbours)],
      ]
      return {
        document,
        at,
        text: whole.text.slice(start, end),
        window: () => unitAt(whole, first.start, last.end, count),
      }
    })
  })
}
