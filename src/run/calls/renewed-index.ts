import pLimit from 'p-limit'
import type { Index } from '../../types.ts'

/** How often an index is built whose program keeps ending; later calls fail. */
const mostBuilds = 10

/**
 * An index that is built again where its program has ended. Where that takes several questions at once, those under way
 * are asked again one at a time, as all later ones are: so only the one that ended it fails.
 */
export function renewedIndex(first: Index, build: () => Promise<Index>): Index {
  const { concurrency = Infinity } = first
  if (first.hasEnded === undefined && first.concurrency === undefined) return first
  const room = pLimit(concurrency)
  const alone = pLimit(1)
  let current = Promise.resolve(first)
  let builds = 1
  let isInTurn = concurrency === 1
  /** Only one question at a time may ask for it. */
  const living = async (): Promise<Index> => {
    const index = await current.catch(() => undefined)
    if (index && !index.hasEnded?.()) return index
    if (++builds > mostBuilds) throw new Error(`what it runs has ended ${mostBuilds} times: it is not started again`)
    // another method that it asks may live on
    await index?.close?.()
    current = build()
    return current
  }
  /** Asks when there is room for it; its time begins then. */
  const ask = <R>(work: (index: Index) => Promise<R>): Promise<R> =>
    room(async () => {
      if (!isInTurn) {
        const index = await current
        try {
          return await work(index)
        } catch (error) {
          if (!index.hasEnded?.()) throw error
        }
        isInTurn = true
      }
      return alone(async () => work(await living()))
    })
  return {
    ...first,
    retrieve: (query, budget, models) => ask((index) => index.retrieve(query, budget, models)),
    ...(first.answer && {
      answer: (query, passages, models) =>
        ask(async (index) => {
          if (!index.answer) throw new Error('an index that was built again has no answer function')
          return index.answer(query, passages, models)
        }),
    }),
    close: async () => (await current.catch(() => undefined))?.close?.(),
  }
}
