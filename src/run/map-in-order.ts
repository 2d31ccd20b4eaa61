import { setImmediate } from 'node:timers/promises'
import pLimit from 'p-limit'

/** How many finished results may wait behind a slow one, for each job in flight. */
const patience = 4

/** Milliseconds after which signals, timers and sockets get their turn, where no job waits for anything. */
const turn = 20

/**
 * Maps jobs with at most `concurrency` in flight and yields the results in the order of the jobs.
 * Jobs are drawn only as places become free, so a long stream stays in constant memory.
 * An error of `work` ends the stream once all before it were yielded; what is in flight is waited for.
 */
export async function* mapInOrder<J, R>(
  jobs: AsyncIterable<J> | Iterable<J>,
  concurrency: number,
  work: (job: J) => Promise<R>,
): AsyncGenerator<R> {
  const limit = pLimit(concurrency)
  const window: Promise<Outcome<R>>[] = []
  let turned = performance.now()
  try {
    for await (const job of jobs) {
      if (performance.now() - turned > turn) {
        await setImmediate()
        turned = performance.now()
      }
      window.push(limit(() => settled(work(job))))
      if (window.length >= concurrency * patience) yield take(await window.shift())
    }
    while (window.length > 0) yield take(await window.shift())
  } finally {
    limit.clearQueue()
    await idle(limit)
  }
}

type Outcome<R> = { readonly value: R } | { readonly error: unknown }

const settled = <R>(promise: Promise<R>): Promise<Outcome<R>> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )

function take<R>(outcome: Outcome<R> | undefined): R {
  if (!outcome) throw new Error('no job is waiting')
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

/** Resolves when nothing is in flight. The promises of cleared jobs never settle, so they cannot be awaited. */
async function idle(limit: { readonly activeCount: number }): Promise<void> {
  while (limit.activeCount > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}
