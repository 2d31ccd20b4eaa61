import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { tfIdfIndex } from '../math/tf-idf.ts'
import { words } from '../text/words.ts'
import { chunkCosts } from './shared/expected-calls.ts'

/** Cosine of tf-idf vectors (`tfIdfIndex`) of the chunks' words as they stand: no stop words, no stemming. */
export const tfIdf = defineMethod({
  name: 'tf-idf',
  summary:
    'Ranks chunks by the cosine of their tf-idf vector and that of the question; leaves out chunks that share no word.',
  options: z.strictObject({
    sublinear: z
      .boolean()
      .default(false)
      .describe(
        'Whether a word that stands tf times counts 1 + ln(tf) times instead of tf times (default: scikit-learn’s TfidfVectorizer, whose smooth idf and length-one vectors are used as well)',
      ),
  }),
  costs: chunkCosts,
  async index(chunks, _models, options) {
    const index = tfIdfIndex(
      chunks.map(({ text }) => words(text)),
      options,
    )
    return {
      nested: true,
      async retrieve({ text }, { passages }) {
        return index.search(words(text), passages).flatMap(({ index: row, score }) => {
          const chunk = chunks[row]
          return chunk ? [{ text: chunk.text, score, from: [chunk.id], kind: 'chunk', why: { cosine: score } }] : []
        })
      },
      stats: () => ({ words: index.words }),
    }
  },
})
