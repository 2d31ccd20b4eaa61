import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { bm25Search } from '../math/bm25.ts'
import { analyserOf } from '../text/analyse.ts'
import { chunkPassages } from './shared/chunk-passages.ts'
import { chunkPostings, analyser } from './shared/chunk-postings.ts'
import { share } from './shared/options.ts'

/** Okapi BM25 (`bm25Search`) over the analysed words of the chunks. */
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
    b: share(0.4, 'Strength of length normalisation; 0: none (default: 0.4, Anserini).'),
  }),
  async index(chunks, models, { analyser: name, ...options }) {
    const analyse = analyserOf(name)
    const index = bm25Search(() => chunkPostings(chunks, name, models), options)
    return {
      nested: true,
      async retrieve({ text }, { passages }) {
        const queryWords = analyse(text)
        return chunkPassages(index.search(queryWords, passages), chunks, (hit) => ({
          matched: [...new Set(queryWords)].filter((word) => index.holds(hit.index, word)),
        }))
      },
      stats: () => ({ words: index.words, meanLength: index.meanLength }),
    }
  },
})
