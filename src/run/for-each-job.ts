import { setImmediate } from 'node:timers/promises'

/** How many jobs may be drawn and not done yet, for each one in flight, and however few these are. */
const patience = 4
const fewest = 256

/** Milliseconds after which signals, timers and sockets get their turn, where no job waits for anything. */
const turn = 20

/**
 * Does jobs with at most `concurrency` in flight, drawn only as places become free; the first that is ready is begun
 * first. After an error nothing is begun; what is in flight ends, and then the error is thrown.
 */
export async function forEachJob<J>(
  jobs: AsyncIterable<J> | Iterable<J>,
  concurrency: number,
  work: (job: J) => Promise<void>,
  ready?: (job: J) => Promise<unknown> | undefined,
): Promise<void> {
  const most = Math.max(concurrency * patience, fewest)
  const waiting: { readonly job: J; isReady: boolean }[] = []
  let inFlight = 0
  let failed: { readonly error: unknown } | undefined
  let tell = (): void => undefined
  const fail = (error: unknown): void => {
    failed ??= { error }
    tell()
  }
  const begin = (): void => {
    while (!failed && inFlight < concurrency) {
      const place = waiting.findIndex(({ isReady }) => isReady)
      const [next] = place < 0 ? [] : waiting.splice(place, 1)
      if (!next) return
      inFlight++
      void work(next.job)
        .catch(fail)
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
  const until = async (isEnough: () => boolean): Promise<void> => {
    while (!isEnough()) await new Promise<void>((resolve) => (tell = resolve))
  }
  const hasFailed = (): boolean => failed !== undefined
  const drawAll = async (): Promise<void> => {
    let turned = performance.now()
    for await (const job of jobs) {
      if (performance.now() - turned > turn) {
        await setImmediate()
        turned = performance.now()
      }
      if (hasFailed()) return
      draw(job)
      await until(() => hasFailed() || waiting.length + inFlight < most)
    }
    await until(() => hasFailed() || waiting.length + inFlight === 0)
  }
  await drawAll().catch(fail)
  await until(() => inFlight === 0)
  if (failed) throw failed.error
}
