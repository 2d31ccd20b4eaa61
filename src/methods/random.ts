import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { sample } from '../math/random.ts'

/** Baseline of retrieval: a context of the same size without a search. */
export const random = defineMethod({
  name: 'random',
  summary: 'Draws chunks at random, without replacement.',
  options: z.strictObject({}),
  async index(chunks) {
    return {
      nested: true,
      retrieve: async (_query, { passages }, models) =>
        sample(chunks, passages, () => models.random()).map(({ id, text }, rank) => ({
          text,
          // the order of the draw is the rank
          score: 1 / (rank + 1),
          from: [id],
          kind: 'chunk',
        })),
    }
  },
})
