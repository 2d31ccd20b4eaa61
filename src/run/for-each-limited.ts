import { setImmediate } from 'node:timers/promises'

/** Milliseconds after which signals, timers and sockets get their turn where no work waits for anything. */
const turnMs = 20

/**
 * Does the work of each item with at most `limit` under way; items are drawn in order, as there is room. After an error
 * no item is drawn; the work under way ends, and then the error is thrown.
 */
export async function forEachLimited<T>(
  items: AsyncIterable<T> | Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const source = itemSource(items)
  let failure: { readonly error: unknown } | undefined
  let lastTurn = performance.now()
  const lane = async (): Promise<void> => {
    for await (const item of source) {
      if (failure) return
      if (performance.now() - lastTurn > turnMs) {
        await setImmediate()
        lastTurn = performance.now()
      }
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

/** One source for all lanes. */
async function* itemSource<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* items
}
