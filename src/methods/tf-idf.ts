import { z } from 'zod'
import { lazily } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { tfIdfIndex } from '../math/tf-idf.ts'
import { analyserOf } from '../text/analyse.ts'
import { chunkPassages } from './shared/chunk-passages.ts'
import { analyserOption } from './shared/options.ts'

/** Cosine of tf-idf vectors (`tfIdfIndex`) over the analysed words of the chunks. */
export const tfIdf = defineMethod({
  name: 'tf-idf',
  // 2: the analyser english is the default; 3: the squares of a text's weights are added in the order of its words
  version: 3,
  summary:
    'Ranks chunks by the cosine of their tf-idf vector and that of the question; leaves out chunks that share no word.',
  options: z.strictObject({ analyser: analyserOption }),
  async index(chunks, _models, { analyser: name }) {
    const analyse = analyserOf(name)
    const index = tfIdfIndex(lazily(chunks, ({ text }) => analyse(text)))
    return {
      nested: true,
      retrieve: async ({ text }, { passages }) =>
        chunkPassages(index.search(analyse(text), passages), chunks, ({ score }) => ({ cosine: score })),
    }
  },
})
