import pLimit from 'p-limit'
import type { Index } from '../../types.ts'

/** How often something is built that has ended: then what is asked of it fails. */
const mostBuilds = 10

/**
 * Something that is built, and built again where what it runs on has ended, and of which no more is under way than it
 * takes. Where it ends with several under way, these are asked again one at a time, as all later ones are: so only the
 * one that ended it fails. `ask` throws what `build` throws, and Error where it has ended too often.
 */
export function renewed<T>({
  first,
  build,
  hasEnded,
  concurrency = Infinity,
}: {
  readonly first?: T
  readonly build: (ended?: T) => Promise<T>
  readonly hasEnded: (living: T) => boolean
  readonly concurrency?: number
}) {
  let current: Promise<T | undefined> = Promise.resolve(first)
  let builds = first === undefined ? 0 : 1
  const again = async (ended?: T): Promise<T> => {
    if (++builds > mostBuilds) throw new Error(`what it runs has ended ${mostBuilds} times: it is not started again`)
    return build(ended)
  }
  const living = async (): Promise<T> => {
    const seen = current
    const one = await seen.catch(() => undefined)
    if (one !== undefined && !hasEnded(one)) return one
    const built = current === seen ? again(one) : current.then((other) => other ?? again())
    if (current === seen) current = built
    return built
  }
  const room = pLimit(concurrency)
  const alone = pLimit(1)
  let underWay = 0
  let inTurn = false
  const isInTurn = (): boolean => inTurn
  return {
    current: () => current.catch(() => undefined),
    /** Asks when there is room for it; its time begins then. */
    ask: <R>(work: (living: T) => Promise<R>): Promise<R> =>
      room(async () => {
        const now = async () => work(await living())
        if (isInTurn()) return alone(now)
        const one = await living()
        underWay++
        try {
          return await work(one)
        } catch (error) {
          if (!hasEnded(one) || (underWay === 1 && !isInTurn())) throw error
          inTurn = true
        } finally {
          underWay--
        }
        return alone(now)
      }),
  }
}

/** An index that is built again where what it ran on has ended, as `renewed` says; any other as it is. */
export function renewedIndex(first: Index, build: () => Promise<Index>): Index {
  if (first.ended === undefined && first.concurrency === undefined) return first
  const { ask, current } = renewed({
    first,
    build: async (ended) => {
      // another method that it asks may live on
      await ended?.close?.()
      return build()
    },
    hasEnded: (index: Index) => index.ended?.() ?? false,
    ...(first.concurrency !== undefined && { concurrency: first.concurrency }),
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
    close: async () => (await current())?.close?.(),
  }
}
