/** What was computed, and its share of the time that the model was at work. */
export interface Computed<T> {
  readonly value: T
  readonly milliseconds: number
}

export type WorkClock = <T>(work: () => Promise<T>) => Promise<Computed<T>>

/** Times what a model computes: of what is under way at once, each takes the time since the last one ended. */
export function workClock(): WorkClock {
  let ended = -Infinity
  return async (work) => {
    const begun = performance.now()
    const value = await work()
    const now = performance.now()
    const milliseconds = now - Math.max(begun, ended)
    ended = now
    return { value, milliseconds }
  }
}
