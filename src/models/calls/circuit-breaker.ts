/** Failures without a usable result after which the circuit opens. */
export const maxFailures = 20

/** The outcome of a piece of work; `neutral` if it called no model or could not reach it. */
export type WorkOutcome<F> = 'usable' | 'neutral' | F

/**
 * Stops a group of work that only fails: the first `maxFailures` pieces start, the rest waits until one is usable. If
 * all of them fail, the rest gets the first failure. Which pieces start depends on their order alone, not on
 * concurrency.
 */
export interface CircuitBreaker<F> {
  /** Reserves the next `count` places; returns the first of them. */
  reserve(count: number): number
  /** Does the work of a place in its turn; passes the failure if the circuit is open. */
  run<R>(
    place: number,
    work: (failure: F | undefined) => Promise<R>,
    outcomeOf: (result: R) => WorkOutcome<F>,
  ): Promise<R>
  /** Starts all waiting work. */
  release(): void
}

/** `isUsable`: the group had a usable result before. */
export function circuitBreaker<F extends object>(isUsable = false): CircuitBreaker<F> {
  const failures = new Map<number, F>()
  const waiting = new Map<number, (failure: F | undefined) => void>()
  let decision: { readonly failure: F | undefined } | undefined = isUsable ? { failure: undefined } : undefined
  let reservedCount = 0
  let admittedCount = maxFailures

  const decide = (failure: F | undefined): void => {
    decision = { failure }
    for (const begin of waiting.values()) begin(failure)
    waiting.clear()
  }
  const admit = (place: number): Promise<F | undefined> => {
    if (decision) return Promise.resolve(decision.failure)
    if (place < admittedCount) return Promise.resolve(undefined)
    return new Promise((begin) => waiting.set(place, begin))
  }
  const report = (place: number, outcome: WorkOutcome<F>): void => {
    if (decision) return
    if (outcome === 'usable') decide(undefined)
    else if (outcome === 'neutral') {
      waiting.get(admittedCount)?.(undefined)
      waiting.delete(admittedCount)
      admittedCount++
    } else {
      failures.set(place, outcome)
      if (failures.size === maxFailures) decide(failures.get(Math.min(...failures.keys())))
    }
  }

  return {
    reserve(count) {
      reservedCount += count
      return reservedCount - count
    },
    async run(place, work, outcomeOf) {
      const failure = await admit(place)
      let outcome: WorkOutcome<F> = 'neutral'
      try {
        const result = await work(failure)
        outcome = outcomeOf(result)
        return result
      } finally {
        report(place, outcome)
      }
    },
    release: () => decide(undefined),
  }
}
