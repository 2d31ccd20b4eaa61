import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { sentences } from '../text/sentences.ts'
import type { Span } from '../text/tokens.ts'
import type { Chunk } from '../types.ts'
import { embedTexts, nearestItems, queryVector } from './shared/embed.ts'
import { unitAt } from './shared/text-units.ts'
import { wholeDocuments } from './shared/whole-documents.ts'

/** Sentences before and after a match (LlamaIndex). Matches inside an earlier window are skipped (our reading). */
const neighbours = 3

/** Searches single sentences and returns each with its neighbours (LlamaIndex's SentenceWindowNodeParser). */
export const sentenceWindow = defineMethod({
  name: 'sentence-window',
  summary:
    'Ranks sentences by the cosine similarity of their embedding and the question’s; returns each with its neighbours.',
  options: z.strictObject({}),
  async index(chunks, models) {
    const allSentences = sentencesOf(chunks)
    const rows = await embedTexts(allSentences, models)
    return {
      nested: true,
      async retrieve({ text }, { passages }, models) {
        if (allSentences.length === 0) return []
        // a window covers at most this many sentences
        const searchDepth = Math.min(allSentences.length, passages * (2 * neighbours + 1))
        const matches: (typeof allSentences)[number][] = []
        const near = nearestItems(await queryVector(text, models), rows, searchDepth)
        return near.flatMap(({ item: sentence, score }) => {
          const { document, at } = sentence
          if (matches.length === passages) return []
          const isNear = (match: typeof sentence) =>
            match.document === document && Math.abs(match.at - at) <= neighbours
          if (matches.some(isNear)) return []
          matches.push(sentence)
          const { text, from, spans } = unitAt(sentence.source, sentence.start, sentence.end)
          const why = { cosine: score, sentence: sentence.text }
          return [{ text, score, from, kind: 'chunk', spans, why }]
        })
      },
    }
  },
})

/** All sentences; `at`: place in the document; `start`, `end`: of the window. */
const sentencesOf = (chunks: readonly Chunk[]) =>
  wholeDocuments(chunks).flatMap((source, document) => {
    const textOf = ({ start, end }: Span) => source.text.slice(start, end)
    const all = sentences(source.text).filter((sentence) => textOf(sentence).trim() !== '')
    return all.map((sentence, at) => ({
      document,
      at,
      source,
      text: textOf(sentence),
      start: itemAt(all, Math.max(0, at - neighbours)).start,
      end: itemAt(all, Math.min(all.length - 1, at + neighbours)).end,
    }))
  })
