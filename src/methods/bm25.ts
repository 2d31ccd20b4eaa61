import { z } from 'zod'
import { lazily } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { bm25Index } from '../math/bm25.ts'
import { analyserOf } from '../text/analyse.ts'
import { chunkPassages } from './shared/chunk-passages.ts'
import { analyserOption, share } from './shared/options.ts'

/** Okapi BM25 (`bm25Index`) over the analysed words of the chunks. */
export const bm25 = defineMethod({
  name: 'bm25',
  // 2: the analyser english is the default
  version: 2,
  summary: 'Ranks chunks by BM25 on the words that they share with the question; leaves out chunks that share none.',
  options: z.strictObject({
    analyser: analyserOption,
    k1: z
      .number()
      .min(0)
      .default(0.9)
      .describe(
        'Saturation of term frequency; higher values give repeated words more weight (default: 0.9, Anserini).',
      ),
    b: share(0.4, 'Strength of length normalisation; 0: none (default: 0.4, Anserini).'),
  }),
  async index(chunks, _models, { analyser: name, ...options }) {
    const analyse = analyserOf(name)
    const index = bm25Index(
      lazily(chunks, ({ text }) => analyse(text)),
      options,
    )
    return {
      nested: true,
      async retrieve({ text }, { passages }) {
        const queryWords = analyse(text)
        return chunkPassages(index.search(queryWords, passages), chunks, (hit) => ({
          matched: [...new Set(queryWords)].filter((word) => index.holds(hit.index, word)),
        }))
      },
    }
  },
})
