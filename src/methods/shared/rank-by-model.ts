import { itemAt } from '../../basics/collections.ts'
import type { Models } from '../../types.ts'

/** Items by the scores of the rerank model of the run, best first; ties keep their order. */
export async function rankByModel<T extends { readonly text: string }>(
  question: string,
  items: readonly T[],
  { rerank }: Pick<Models, 'rerank'>,
) {
  if (!rerank) throw new Error('the config names no rerank model: give models.rerank')
  const scores = await rerank(
    question,
    items.map(({ text }) => text),
  )
  return scores
    .map((relevance, index) => ({ ...relevance, index, item: itemAt(items, index) }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
}
