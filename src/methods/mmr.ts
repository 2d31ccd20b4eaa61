import { z } from 'zod'
import { itemAt, valueOf } from '../basics/collections.ts'
import { rankingDepth } from '../basics/metrics.ts'
import { cosine } from '../math/vectors.ts'
import type { Models } from '../types.ts'
import { queryVector } from './shared/embed.ts'
import { askedMethod, defineRanking, reordered } from './shared/ranking-method.ts'

/** Maximal marginal relevance of the first passages of another method's ranking, by the embedder's cosines. */
export const mmr = defineRanking({
  name: 'mmr',
  summary: 'Orders the passages of another method anew, so that each is like the question and unlike those before it.',
  paper:
    'Carbonell and Goldstein 1998, The Use of MMR, Diversity-Based Reranking for Reordering Documents and Producing Summaries',
  options: z.strictObject({
    of: askedMethod
      .default('vector')
      .describe('The method whose ranking is chosen from: a name, a file, or an entry with options'),
    lambda: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe(
        'Weight of likeness to the question against likeness to what is chosen already; 1: likeness to the question alone (default: LangChain)',
      ),
  }),
  async ranker(chunks, models, { lambda }) {
    const ofChunks = await vectorsOf(
      chunks.map(({ text }) => text),
      models,
    )
    return async (query, ranking, models) => {
      const passages = await ranking(query)
      if (passages.length === 0) return []
      const texts = passages.slice(0, rankingDepth).map(({ text }) => text)
      const rest = await vectorsOf([...new Set(texts.filter((text) => !ofChunks.has(text)))], models)
      const vectors = texts.map((text) => valueOf(ofChunks.has(text) ? ofChunks : rest, text))
      const question = await queryVector(query.text, models)
      const chosen = maximalMarginalRelevance(
        vectors.map((vector) => cosine(question, vector)),
        (row, other) => cosine(itemAt(vectors, row), itemAt(vectors, other)),
        { lambda, k: vectors.length },
      )
      return reordered(
        passages,
        chosen.map(({ index, value }) => ({ index, why: { 'marginal relevance': value } })),
      )
    }
  },
})

async function vectorsOf(texts: readonly string[], models: Models): Promise<ReadonlyMap<string, Float32Array>> {
  const vectors = texts.length > 0 ? await models.embed(texts, 'document') : []
  return new Map(texts.map((text, at) => [text, itemAt(vectors, at)]))
}

/** A row that was chosen, and its value at the time. */
interface Chosen {
  readonly index: number
  readonly value: number
}

/**
 * Maximal marginal relevance (Carbonell and Goldstein 1998): k rows, each the one with the largest lambda · relevance −
 * (1 − lambda) · largest likeness to a row that was chosen before; equal values by lower index. With lambda 0 the most
 * relevant row is the first. `relevance`: of each row to the query, such as a cosine.
 */
export function maximalMarginalRelevance(
  relevance: readonly number[],
  likeness: (row: number, chosen: number) => number,
  { lambda, k }: { readonly lambda: number; readonly k: number },
): readonly Chosen[] {
  const redundancy = new Float64Array(relevance.length).fill(-Infinity)
  const left = new Set(relevance.keys())
  const chosen: Chosen[] = []
  while (chosen.length < k && left.size > 0) {
    const isFirst = chosen.length === 0
    const worth = (row: number): number => {
      const own = itemAt(relevance, row)
      return isFirst ? (lambda === 0 ? own : lambda * own) : lambda * own - (1 - lambda) * itemAt(redundancy, row)
    }
    const best = [...left].reduce((one, row) => (worth(row) > worth(one) ? row : one))
    chosen.push({ index: best, value: isFirst ? lambda * itemAt(relevance, best) : worth(best) })
    left.delete(best)
    for (const row of left) redundancy[row] = Math.max(itemAt(redundancy, row), likeness(row, best))
  }
  return chosen
}
