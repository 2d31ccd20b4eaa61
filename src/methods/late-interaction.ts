import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { maxSim, unitRows, type TokenRows } from '../math/max-sim.ts'
import { highest } from '../math/highest.ts'
import type { Models } from '../types.ts'
import { chunkPassages } from './shared/chunk-passages.ts'
import { contentTokens } from './shared/content-tokens.ts'

const marker = (of: string) =>
  z
    .string()
    .default('')
    .describe(
      `Text before every ${of}, where a model was trained with one (such as the "${of === 'question' ? '[Q]' : '[D]'} " of PyLate’s models)`,
    )

/** Exhaustive MaxSim over the token vectors of question and chunk. */
export const lateInteraction = defineMethod({
  name: 'late-interaction',
  summary:
    'Ranks chunks by MaxSim: each token of the question counts by the chunk’s token that is most similar to it. Meant for a ColBERT model.',
  paper:
    'Khattab and Zaharia 2020, ColBERT: Efficient and Effective Passage Search via Contextualized Late Interaction',
  options: z.strictObject({ queryPrefix: marker('question'), documentPrefix: marker('chunk') }),
  requires: async () => ({ tokens: true }),
  async index(chunks, models, { queryPrefix, documentPrefix }) {
    const documents = await Promise.all(chunks.map(({ text }) => tokenRows(documentPrefix + text, models)))
    return {
      nested: true,
      async retrieve({ text }, { passages }, models) {
        if (chunks.length === 0) return []
        const query = await tokenRows(queryPrefix + text, models)
        const scores = documents.map((document) => maxSim(query, document))
        return chunkPassages(highest(scores, passages), chunks, ({ score }) => ({
          maxSim: score,
          'per token of the question': score / Math.max(1, query.rows),
        }))
      },
      warnings: () => ({ 'chunks without a token': documents.filter(({ rows }) => rows === 0).length }),
    }
  },
})

async function tokenRows(text: string, models: Pick<Models, 'embedTokens' | 'tokenIds'>): Promise<TokenRows> {
  const vectors = await contentTokens(text, models)
  return unitRows(vectors, new Float32Array(vectors.length * (vectors[0]?.length ?? 0)))
}
