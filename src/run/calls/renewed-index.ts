import pLimit from 'p-limit'
import type { Index } from '../../types.ts'

/** How often an index is built whose program keeps ending; later calls fail. */
const mostBuilds = 10

/**
 * An index that is built again where its program has ended. Where that takes several questions at once, those under way
 * are asked again one at a time, as all later ones are: so only the one that ended it fails.
 */
export function renewedIndex(first: Index, build: () => Promise<Index>): Index {
  if (first.hasEnded === undefined && first.concurrency === undefined) return first
  const hasEnded = (index: Index): boolean => index.hasEnded?.() ?? false
  let current: Promise<Index | undefined> = Promise.resolve(first)
  let builds = 1
  const again = async (deadIndex?: Index): Promise<Index> => {
    if (++builds > mostBuilds) throw new Error(`what it runs has ended ${mostBuilds} times: it is not started again`)
    // another method that it asks may live on
    await deadIndex?.close?.()
    return build()
  }
  const living = async (): Promise<Index> => {
    const indexAtCall = current
    const index = await indexAtCall.catch(() => undefined)
    if (index !== undefined && !hasEnded(index)) return index
    const renewal = current === indexAtCall ? again(index) : current.then((newer) => newer ?? again())
    if (current === indexAtCall) current = renewal
    return renewal
  }
  const { concurrency = Infinity } = first
  const room = pLimit(concurrency)
  const alone = pLimit(1)
  let isInTurn = concurrency === 1
  /** Asks when there is room for it; its time begins then. */
  const ask = <R>(work: (index: Index) => Promise<R>): Promise<R> =>
    room(async () => {
      const now = async () => work(await living())
      if (isInTurn) return alone(now)
      const index = await living()
      try {
        return await work(index)
      } catch (error) {
        if (!hasEnded(index)) throw error
      }
      isInTurn = true
      return alone(now)
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
