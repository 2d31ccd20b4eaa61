import { z } from 'zod'
import { lazily } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { bm25Index } from '../math/bm25.ts'
import { analyserOf } from '../text/analyse.ts'
import { analyser } from './shared/analyser.ts'
import { chunkCosts } from './shared/expected-calls.ts'

/** Okapi BM25 (`bm25Index`) of the words that the analyser makes of the chunks. */
export const bm25 = defineMethod({
  name: 'bm25',
  // 2: the analyser english is the default
  version: 2,
  summary: 'Ranks chunks by BM25 on the words that they share with the question; leaves out chunks that share none.',
  options: z.strictObject({
    analyser,
    k1: z
      .number()
      .min(0)
      .default(0.9)
      .describe(
        'Saturation of term frequency; higher values give repeated words more weight (default: 0.9, Anserini).',
      ),
    b: z
      .number()
      .min(0)
      .max(1)
      .default(0.4)
      .describe('Strength of length normalisation; 0: none (default: 0.4, Anserini).'),
  }),
  costs: chunkCosts,
  // measured: 3 bytes a posting, the dictionary, 24 bytes a chunk
  memory: ({ chunks, characters }) => 0.9 * characters + 24 * chunks,
  async index(chunks, _models, { analyser: name, ...options }) {
    const analyse = analyserOf(name)
    const index = bm25Index(
      lazily(chunks, ({ text }) => analyse(text)),
      options,
    )
    return {
      nested: true,
      async retrieve({ text }, { passages }) {
        const asked = analyse(text)
        return index.search(asked, passages).flatMap(({ index: row, score }) => {
          const chunk = chunks[row]
          if (!chunk) return []
          const why = { matched: [...new Set(asked)].filter((word) => index.holds(row, word)) }
          return [{ text: chunk.text, score, from: [chunk.id], kind: 'chunk', why }]
        })
      },
      stats: () => ({ words: index.words, meanLength: index.meanLength }),
    }
  },
})
