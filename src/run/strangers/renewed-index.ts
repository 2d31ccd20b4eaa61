import pLimit from 'p-limit'
import type { Index } from '../../types.ts'

/** How often an index is built whose program has ended: then the questions left fail. */
const mostBuilds = 10

/**
 * An index that is built again where what it ran on has ended, and of which no more questions are under way than it takes. Where it ends with
 * several under way, these are asked again one at a time, as all later ones are: so only the one that ended it fails. Throws what `build`
 * throws, and Error where it has ended too often.
 */
export async function renewedIndex(build: () => Promise<Index>): Promise<Index> {
  const first = await build()
  if (first.ended === undefined && first.concurrency === undefined) return first
  let current = Promise.resolve(first)
  let builds = 1
  const renewed = async (): Promise<Index> => {
    if (++builds > mostBuilds) throw new Error(`what it runs has ended ${mostBuilds} times: it is not started again`)
    return build()
  }
  const living = async (): Promise<Index> => {
    const seen = current
    const index = await seen.catch(() => undefined)
    if (index && !index.ended?.()) return index
    if (current === seen) current = renewed()
    return current
  }
  const room = pLimit(first.concurrency ?? Infinity)
  const alone = pLimit(1)
  let underWay = 0
  let inTurn = false
  const isInTurn = (): boolean => inTurn
  /** Asks when there is room for it; its time begins then. */
  const ask = <T>(work: (index: Index) => Promise<T>): Promise<T> =>
    room(async () => {
      const now = async (): Promise<T> => work(await living())
      if (isInTurn()) return alone(now)
      const index = await living()
      underWay++
      try {
        return await work(index)
      } catch (error) {
        if (!index.ended?.() || (underWay === 1 && !isInTurn())) throw error
        inTurn = true
      } finally {
        underWay--
      }
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
