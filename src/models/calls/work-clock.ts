/** What was computed, and its share of the time that the model was at work. */
export interface Computed<T> {
  readonly value: T
  readonly milliseconds: number
}

/** Times what a model computes: of what is under way at once, each takes the time since the last one ended. */
export function workClock() {
  let ended = -Infinity
  return async <T>(work: () => Promise<T>): Promise<Computed<T>> => {
    const begun = performance.now()
    const value = await work()
    const now = performance.now()
    const milliseconds = now - Math.max(begun, ended)
    ended = now
    return { value, milliseconds }
  }
}
