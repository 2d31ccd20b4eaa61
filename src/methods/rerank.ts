import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import { ModelError } from '../errors.ts'
import { judgeRelevance, rankPassages } from '../tasks/searching.ts'
import type { Models, Passage, Query } from '../types.ts'
import { attempt, lossOf } from './shared/attempt.ts'
import { askedMethod, defineRanking, reordered, type NewPlace } from './shared/ranking-method.ts'

/** The first passages of another method's ranking, put into order by a language model. */
export const rerank = defineRanking({
  name: 'rerank',
  summary:
    'Has a language model, or a rerank model, put the passages of another method into order: window by window or one by one.',
  paper: 'Sun et al. 2023, Is ChatGPT Good at Search? Investigating Large Language Models as Re-Ranking Agents',
  options: z.strictObject({
    of: askedMethod
      .default('bm25')
      .describe('The method whose ranking is put into order: a name, a file, or an entry with options'),
    by: z
      .enum(['listwise', 'pointwise', 'model'])
      .default('listwise')
      .describe(
        'What is asked. Of the language model, listwise: to order a window of 20 passages, from the end of the ranking to its beginning (RankGPT), pointwise: whether a passage helps, each by itself; those that do stand first. model: the rerank model of the config (models.rerank: a cross-encoder or a rerank server) scores each passage',
      ),
    depth: z.int().min(1).default(50).describe('How many passages of the ranking are put into order'),
  }),
  requires: async ({ by }) => (by === 'model' ? { rerank: true } : {}),
  tasks: ({ by }) => ({ listwise: [rankPassages], pointwise: [judgeRelevance], model: [] })[by],
  depth: ({ depth }) => depth,
  ranker:
    (_chunks, _models, { by, depth }) =>
    async (query, ranking, models) => {
      const passages = await ranking(query)
      const order = { listwise, pointwise, model: scored }[by]
      return reordered(passages, await order(query, passages.slice(0, depth), models))
    },
})

/** Windows from the end to the beginning, so that a passage may rise through all of them (RankGPT, section 3.2). */
async function listwise({ text }: Query, passages: readonly Passage[], models: Models): Promise<readonly NewPlace[]> {
  const order = [...passages.keys()]
  const losses: string[] = []
  let repaired = 0
  for (const { from, to } of windowsOf(order.length)) {
    const shown = order.slice(from, to)
    const reply = await attempt(models, rankPassages, {
      question: text,
      passages: shown.map((at) => itemAt(passages, at).text),
    })
    if (reply instanceof ModelError) {
      losses.push(lossOf(reply))
      continue
    }
    const { places, isRepaired } = permutation(reply, shown.length)
    repaired += Number(isRepaired)
    order.splice(from, shown.length, ...places.map((place) => itemAt(shown, place)))
  }
  const [lost] = losses
  const said = [
    ...(lost === undefined ? [] : [`the order of ${losses.length === 1 ? 'a window' : 'windows'} ${lost}`]),
    ...(repaired === 0 ? [] : [`the order of ${repaired === 1 ? 'a window' : 'windows'} was repaired`]),
  ]
  const why = said.length === 0 ? {} : { fallback: said.join('; ') }
  return order.map((index, rank) => ({ index, ...(rank === 0 && { why }) }))
}

/** Passages that help first, then the others, each in the order that they had. */
async function pointwise({ text }: Query, passages: readonly Passage[], models: Models): Promise<readonly NewPlace[]> {
  const replies = await Promise.all(
    passages.map(({ text: passage }) => attempt(models, judgeRelevance, { question: text, passage })),
  )
  const lost = replies.filter((reply) => reply instanceof ModelError)
  const places = replies.map((reply, index) => ({
    index,
    helps: typeof reply === 'string' && /^\W*yes\b/i.test(reply),
  }))
  return [...places.filter(({ helps }) => helps), ...places.filter(({ helps }) => !helps)].map(
    ({ index, helps }, rank) => ({
      index,
      why: {
        helps,
        ...(rank === 0 &&
          lost[0] && { fallback: `a verdict on ${lost.length} of ${passages.length} passages ${lossOf(lost[0])}` }),
      },
    }),
  )
}

/** By the scores of a rerank model, equal ones in the order that they had. */
async function scored({ text }: Query, passages: readonly Passage[], models: Models): Promise<readonly NewPlace[]> {
  if (!models.rerank) throw new Error('the config names no rerank model: give models.rerank')
  const found = await models.rerank(
    text,
    passages.map((passage) => passage.text),
  )
  const isCut = found.some(({ unread }) => unread > 0)
  return found
    .map(({ score, unread }, index) => ({ index, why: { relevance: score, ...(unread > 0 && { unread }) } }))
    .sort((a, b) => b.why.relevance - a.why.relevance || a.index - b.index)
    .map(({ index, why }, rank) => ({
      index,
      why: { ...why, ...(rank === 0 && isCut && { fallback: 'passages that the rerank model read in part' }) },
    }))
}

/** Passages of one call, and how far the window moves (RankGPT). */
const [window, step] = [20, 10]

/** The windows over so many passages, the last one first; the first one begins at 0. */
export function windowsOf(count: number): readonly { from: number; to: number }[] {
  const found: { from: number; to: number }[] = []
  for (let to = count; to > 0; to -= step) {
    const from = Math.max(0, to - window)
    found.push({ from, to })
    if (from === 0) break
  }
  return count < 2 ? [] : found
}

/**
 * The places that a reply names, from 0, each once; numbers of no passage are left out, and passages that it does not
 * name follow in their order, as RankGPT's own code does (rank_gpt.py, receive_permutation).
 */
export function permutation(reply: string, count: number): { places: readonly number[]; isRepaired: boolean } {
  const named = [...reply.matchAll(/\d+/g)].map(([digits]) => Number(digits) - 1)
  const valid = [...new Set(named)].filter((place) => place >= 0 && place < count)
  const places = [...new Set([...valid, ...Array(count).keys()])]
  return { places, isRepaired: named.length !== count || valid.length !== count }
}
