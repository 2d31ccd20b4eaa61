import { z } from 'zod'
import { itemAt, valueOf } from '../basics/collections.ts'
import { rankingDepth } from '../basics/metrics.ts'
import { cosine } from '../math/vectors.ts'
import type { Models } from '../types.ts'
import { queryVector } from './shared/embed.ts'
import { share } from './shared/options.ts'
import { methodOption, defineRanking, reorder } from './shared/ranking-method.ts'

/** Reorders the first passages of another method by maximal marginal relevance, with cosines of the embedder. */
export const mmr = defineRanking({
  name: 'mmr',
  summary: 'Orders the passages of another method anew, so that each is like the question and unlike those before it.',
  paper:
    'Carbonell and Goldstein 1998, The Use of MMR, Diversity-Based Reranking for Reordering Documents and Producing Summaries',
  options: z.strictObject({
    of: methodOption('vector', 'The method whose ranking is chosen from: a name, a file, or an entry with options'),
    lambda: share(
      0.5,
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
      const selection = maximalMarginalRelevance(
        vectors.map((vector) => cosine(question, vector)),
        (a, b) => cosine(itemAt(vectors, a), itemAt(vectors, b)),
        { lambda, k: vectors.length },
      )
      return reorder(
        passages,
        selection.map(({ index, value }) => ({ index, why: { 'marginal relevance': value } })),
      )
    }
  },
})

async function vectorsOf(texts: readonly string[], models: Models): Promise<ReadonlyMap<string, Float32Array>> {
  const vectors = texts.length > 0 ? await models.embed(texts, 'document') : []
  return new Map(texts.map((text, at) => [text, itemAt(vectors, at)]))
}

/** A selected row, and its marginal relevance when it was selected. */
interface Selection {
  readonly index: number
  readonly value: number
}

/**
 * Maximal marginal relevance (Carbonell and Goldstein 1998): selects k rows, each with the largest lambda · relevance −
 * (1 − lambda) · largest likeness to a selected row; ties by lower index. With lambda 0 the most relevant row is first.
 * `relevance`: of each row to the query, such as a cosine.
 */
export function maximalMarginalRelevance(
  relevance: readonly number[],
  likeness: (row: number, selectedRow: number) => number,
  { lambda, k }: { readonly lambda: number; readonly k: number },
): readonly Selection[] {
  const redundancy = new Float64Array(relevance.length).fill(-Infinity)
  const candidates = new Set(relevance.keys())
  const selection: Selection[] = []
  while (selection.length < k && candidates.size > 0) {
    const isFirst = selection.length === 0
    const worth = (row: number): number => {
      const score = itemAt(relevance, row)
      const gain = lambda * score
      if (isFirst) return lambda === 0 ? score : gain
      return gain - (1 - lambda) * itemAt(redundancy, row)
    }
    const best = [...candidates].reduce((top, row) => (worth(row) > worth(top) ? row : top))
    selection.push({ index: best, value: isFirst ? lambda * itemAt(relevance, best) : worth(best) })
    candidates.delete(best)
    for (const row of candidates) redundancy[row] = Math.max(itemAt(redundancy, row), likeness(row, best))
  }
  return selection
}
