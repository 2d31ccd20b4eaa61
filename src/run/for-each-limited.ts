import { setImmediate } from 'node:timers/promises'

/**
 * Does the work of each item with at most `limit` under way, drawn in order. After an error no item is drawn; the work
 * under way ends, and then the error is thrown.
 */
export async function forEachLimited<T>(
  items: AsyncIterable<T> | Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const source = itemSource(items)
  let failure: { readonly error: unknown } | undefined
  const pause = createPause()
  const lane = async (): Promise<void> => {
    for await (const item of source) {
      if (failure) return
      await pause()
      await work(item)
    }
  }
  await Promise.all(
    Array.from({ length: limit }, () =>
      lane().catch((error: unknown) => {
        failure ??= { error }
      }),
    ),
  )
  if (failure) throw failure.error
}

/** Milliseconds after which signals, timers and sockets get their turn. */
const turnMs = 20

/** Gives them a turn where they have waited for one. */
export function createPause(): () => Promise<void> {
  let lastTurn = performance.now()
  return async () => {
    if (performance.now() - lastTurn <= turnMs) return
    await setImmediate()
    lastTurn = performance.now()
  }
}

/** One source for all lanes. */
async function* itemSource<T>(items: AsyncIterable<T> | Iterable<T>) {
  yield* items
}
