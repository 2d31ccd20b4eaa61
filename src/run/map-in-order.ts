import { setImmediate } from 'node:timers/promises'

/** How many jobs may be drawn and not yielded yet, for each one in flight, and however few these are. */
const patience = 4
const fewest = 256

/** Milliseconds after which signals, timers and sockets get their turn, where no job waits for anything. */
const turn = 20

/**
 * Maps jobs with at most `concurrency` in flight and yields the results in the order of the jobs. The first job that is ready is begun first.
 * Jobs are drawn only as places become free, so a long stream stays in constant memory.
 * An error of `work` or `ready` ends the stream once all before it were yielded; what is in flight is waited for.
 */
export async function* mapInOrder<J, R>(
  jobs: AsyncIterable<J> | Iterable<J>,
  concurrency: number,
  work: (job: J) => Promise<R>,
  ready?: (job: J) => Promise<unknown> | undefined,
): AsyncGenerator<R> {
  const most = Math.max(concurrency * patience, fewest)
  const drawn: Drawn<R>[] = []
  const inFlight = new Set<Drawn<R>>()
  const begin = (): void => {
    while (inFlight.size < concurrency) {
      const next = drawn.find(({ state }) => state === 'ready')
      if (!next) return
      next.state = 'begun'
      inFlight.add(next)
      next.work().then(
        (value) => settle(next, { value }),
        (error: unknown) => settle(next, { error }),
      )
    }
  }
  const settle = (job: Drawn<R>, outcome: Outcome<R>): void => {
    job.state = 'done'
    job.tell(outcome)
    inFlight.delete(job)
    begin()
  }
  const draw = (job: J): void => {
    let tell: Drawn<R>['tell'] = () => undefined
    const outcome = new Promise<Outcome<R>>((resolve) => (tell = resolve))
    const waits = ready?.(job)
    const one: Drawn<R> = { state: waits ? 'waits' : 'ready', work: () => work(job), tell, outcome }
    waits?.then(
      () => {
        one.state = 'ready'
        begin()
      },
      (error: unknown) => settle(one, { error }),
    )
    drawn.push(one)
    begin()
  }
  const first = async (): Promise<R> => {
    const outcome = await drawn[0]?.outcome
    drawn.shift()
    // the source of the jobs may take its time to end: nothing is begun meanwhile
    if (outcome && 'error' in outcome) drawn.length = 0
    return take(outcome)
  }
  let turned = performance.now()
  try {
    for await (const job of jobs) {
      if (performance.now() - turned > turn) {
        await setImmediate()
        turned = performance.now()
      }
      draw(job)
      while (drawn[0]?.state === 'done' || drawn.length >= most) yield first()
    }
    while (drawn.length > 0) yield first()
  } finally {
    // what is not begun yet never will be
    drawn.length = 0
    await Promise.all([...inFlight].map(({ outcome }) => outcome))
  }
}

type Outcome<R> = { readonly value: R } | { readonly error: unknown }

/** A job that is drawn and not yielded. */
interface Drawn<R> {
  state: 'waits' | 'ready' | 'begun' | 'done'
  readonly work: () => Promise<R>
  readonly tell: (outcome: Outcome<R>) => void
  readonly outcome: Promise<Outcome<R>>
}

function take<R>(outcome: Outcome<R> | undefined): R {
  if (!outcome) throw new Error('no job is waiting')
  if ('error' in outcome) throw outcome.error
  return outcome.value
}
