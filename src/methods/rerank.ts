import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import { ModelError } from '../errors.ts'
import { judgeRelevance, rankPassages } from '../tasks/searching.ts'
import type { Models, Passage, Query } from '../types.ts'
import { attempt, lossOf } from './shared/attempt.ts'
import { rankByModel } from './shared/rank-by-model.ts'
import { methodOption, defineRanking, reorder, type NewPlace } from './shared/ranking-method.ts'
import { choice, wholeNumber } from './shared/options.ts'

/** Reorders the first passages of another method with a language model or a rerank model. */
export const rerank = defineRanking({
  name: 'rerank',
  summary:
    'Has a language model, or a rerank model, put the passages of another method into order: window by window or one by one.',
  paper: 'Sun et al. 2023, Is ChatGPT Good at Search? Investigating Large Language Models as Re-Ranking Agents',
  options: z.strictObject({
    of: methodOption('bm25', 'The method whose ranking is put into order: a name, a file, or an entry with options'),
    by: choice(
      ['listwise', 'pointwise', 'model'],
      'listwise: the language model orders windows of 20 passages, from the end of the ranking (RankGPT); pointwise: it says whether each passage helps, and those come first; model: models.rerank scores each passage',
    ),
    depth: wholeNumber(1, 50, 'How many passages of the ranking are put into order'),
  }),
  requires: async ({ by }) => (by === 'model' ? { rerank: true } : {}),
  tasks: ({ by }) => ({ listwise: [rankPassages], pointwise: [judgeRelevance], model: [] })[by],
  depth: ({ depth }) => depth,
  ranker:
    (_chunks, _models, { by, depth }) =>
    async (query, ranking, models) => {
      const passages = await ranking(query)
      const orderBy = { listwise: orderListwise, pointwise: orderPointwise, model: orderByModel }[by]
      const { places, fallback } = await orderBy(query, passages.slice(0, depth), models)
      return reorder(passages, places, fallback)
    },
})

type Orderer = (
  query: Query,
  passages: readonly Passage[],
  models: Models,
) => Promise<{ readonly places: readonly NewPlace[]; readonly fallback?: string | undefined }>

/** Windows slide from the end to the beginning (RankGPT, section 3.2). */
const orderListwise: Orderer = async ({ text }, passages, models) => {
  const order = [...passages.keys()]
  const losses: string[] = []
  let repairCount = 0
  for (const { from, to } of windowsOf(order.length)) {
    const windowPlaces = order.slice(from, to)
    const reply = await attempt(models, rankPassages, {
      question: text,
      passages: windowPlaces.map((at) => itemAt(passages, at).text),
    })
    if (reply instanceof ModelError) {
      losses.push(lossOf(reply))
      continue
    }
    const { places, isRepaired } = readPermutation(reply, windowPlaces.length)
    repairCount += Number(isRepaired)
    order.splice(from, windowPlaces.length, ...places.map((place) => itemAt(windowPlaces, place)))
  }
  const [firstLoss] = losses
  const orderOf = (windows: number) => `the order of ${windows === 1 ? 'a window' : 'windows'}`
  const fallbacks = [
    ...(firstLoss === undefined ? [] : [`${orderOf(losses.length)} ${firstLoss}`]),
    ...(repairCount === 0 ? [] : [`${orderOf(repairCount)} was repaired`]),
  ]
  return {
    places: order.map((index) => ({ index })),
    fallback: fallbacks.length === 0 ? undefined : fallbacks.join('; '),
  }
}

const orderPointwise: Orderer = async ({ text }, passages, models) => {
  const replies = await Promise.all(
    passages.map(({ text: passage }) => attempt(models, judgeRelevance, { question: text, passage })),
  )
  const losses = replies.filter((reply) => reply instanceof ModelError)
  const [firstLoss] = losses
  const places = replies.map((reply, index) => ({
    index,
    why: { helps: typeof reply === 'string' && /^\W*yes\b/i.test(reply) },
  }))
  return {
    places: places.toSorted((a, b) => Number(b.why.helps) - Number(a.why.helps)),
    fallback: firstLoss && `a verdict on ${losses.length} of ${passages.length} passages ${lossOf(firstLoss)}`,
  }
}

const orderByModel: Orderer = async ({ text }, passages, models) => {
  const ranking = await rankByModel(text, passages, models)
  const places = ranking.map(({ index, score, unread }) => ({
    index,
    why: { relevance: score, ...(unread > 0 && { unread }) },
  }))
  const isCut = ranking.some(({ unread }) => unread > 0)
  return { places, fallback: isCut ? 'passages that the rerank model read in part' : undefined }
}

/** Window size and step in passages (RankGPT). */
const window = 20
const step = 10

/** The windows over `count` passages, last first. */
function windowsOf(count: number): readonly { from: number; to: number }[] {
  const windows: { from: number; to: number }[] = []
  for (let to = count; to > 0; to -= step) {
    const from = Math.max(0, to - window)
    windows.push({ from, to })
    if (from === 0) break
  }
  return count < 2 ? [] : windows
}

/**
 * Reads the order of `count` passages from a reply, as places from 0: duplicates and unknown numbers are dropped,
 * missing passages follow in their order (RankGPT, rank_gpt.py, receive_permutation).
 */
export function readPermutation(reply: string, count: number): { places: readonly number[]; isRepaired: boolean } {
  const numbers = [...reply.matchAll(/\d+/g)].map(([digits]) => Number(digits) - 1)
  const valid = [...new Set(numbers)].filter((place) => place >= 0 && place < count)
  const places = [...new Set([...valid, ...Array(count).keys()])]
  return { places, isRepaired: numbers.length !== count || valid.length !== count }
}
