import { setImmediate } from 'node:timers/promises'

/** How many jobs may be drawn and not done yet, for each one in flight, and however few these are. */
const patience = 4
const fewest = 256

/** Milliseconds after which signals, timers and sockets get their turn, where no job waits for anything. */
const turn = 20

/**
 * Maps jobs with at most `concurrency` in flight and yields each result when it is there. The first job that is ready is begun first.
 * Jobs are drawn only as places become free, so a long stream stays in constant memory.
 * After an error of `work` or `ready` nothing is begun; the results of what is in flight are yielded, and then the error is thrown.
 */
export async function* mapAsDone<J, R>(
  jobs: AsyncIterable<J> | Iterable<J>,
  concurrency: number,
  work: (job: J) => Promise<R>,
  ready?: (job: J) => Promise<unknown> | undefined,
): AsyncGenerator<R> {
  const most = Math.max(concurrency * patience, fewest)
  const waiting: { readonly job: J; isReady: boolean }[] = []
  const results: R[] = []
  let inFlight = 0
  let failed: { readonly error: unknown } | undefined
  let isOver = false
  let tell = (): void => undefined
  const change = (): Promise<void> => new Promise((resolve) => (tell = resolve))
  const fail = (error: unknown): void => {
    failed ??= { error }
    isOver = true
    tell()
  }
  const begin = (): void => {
    while (!isOver && inFlight < concurrency) {
      const place = waiting.findIndex(({ isReady }) => isReady)
      const [next] = place < 0 ? [] : waiting.splice(place, 1)
      if (!next) return
      inFlight++
      void work(next.job)
        .then((result) => void results.push(result), fail)
        .then(() => {
          inFlight--
          begin()
          tell()
        })
    }
  }
  const draw = (job: J): void => {
    const waits = ready?.(job)
    const drawn = { job, isReady: !waits }
    waiting.push(drawn)
    waits?.then(() => {
      drawn.isReady = true
      begin()
    }, fail)
    begin()
  }
  const hasEnded = (): boolean => isOver
  const hasRoom = (): boolean => isOver || waiting.length + inFlight < most
  const isDone = (): boolean => inFlight === 0 && (isOver || waiting.length === 0)
  /** The results that are there, and those that come until `enough`. */
  async function* until(enough: () => boolean): AsyncGenerator<R> {
    for (;;) {
      // more may come while these are taken
      while (results.length > 0) yield* results.splice(0)
      if (enough()) return
      await change()
    }
  }
  let turned = performance.now()
  try {
    for await (const job of jobs) {
      if (performance.now() - turned > turn) {
        await setImmediate()
        turned = performance.now()
      }
      draw(job)
      yield* until(hasRoom)
      if (hasEnded()) break
    }
    yield* until(isDone)
    if (failed) throw failed.error
  } finally {
    // what is not begun yet never will be
    isOver = true
    while (inFlight > 0) await change()
  }
}
