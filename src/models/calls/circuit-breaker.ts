/** Failures, none of them after a usable result, after which the rest is not begun. */
export const maxFailures = 20

/** What a piece of work tells of its group: nothing where it asked no model, or could not reach one. */
export type WorkOutcome<F> = 'usable' | 'neutral' | F

/**
 * Stops work that only fails: of the pieces of a group, in their order, `maxFailures` begin; the rest waits until one
 * is usable. If all of these fail, the rest gets the first failure. What begins depends on the order alone, not on how
 * much runs at the same time.
 */
export interface CircuitBreaker<F> {
  /** Takes the next places for so many pieces of work; returns the first of them. */
  reserve(count: number): number
  /** Does the work of a place in its turn; it gets the failure if it must not begin. */
  run<R>(
    place: number,
    work: (failure: F | undefined) => Promise<R>,
    outcomeOf: (result: R) => WorkOutcome<F>,
  ): Promise<R>
  /** Lets all that waits begin: nothing is learnt any more. */
  release(): void
}

/** `isUsable`: whether the group had a usable result before. */
export function circuitBreaker<F extends object>(isUsable = false): CircuitBreaker<F> {
  const failures = new Map<number, F>()
  const waiting = new Map<number, (failure: F | undefined) => void>()
  let decision: { readonly failure: F | undefined } | undefined = isUsable ? { failure: undefined } : undefined
  let [reserved, admitted] = [0, maxFailures]

  const decide = (failure: F | undefined): void => {
    decision = { failure }
    for (const begin of waiting.values()) begin(failure)
    waiting.clear()
  }
  const admit = (place: number): Promise<F | undefined> => {
    if (decision) return Promise.resolve(decision.failure)
    if (place < admitted) return Promise.resolve(undefined)
    return new Promise((begin) => waiting.set(place, begin))
  }
  const report = (place: number, outcome: WorkOutcome<F>): void => {
    if (decision) return
    if (outcome === 'usable') decide(undefined)
    else if (outcome === 'neutral') {
      waiting.get(admitted)?.(undefined)
      waiting.delete(admitted)
      admitted++
    } else {
      failures.set(place, outcome)
      if (failures.size === maxFailures) decide(failures.get(Math.min(...failures.keys())))
    }
  }

  return {
    reserve(count) {
      reserved += count
      return reserved - count
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
