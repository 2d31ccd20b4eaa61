/** A result, and its share of the time that the model worked. */
export interface Computed<T> {
  readonly value: T
  readonly milliseconds: number
}

/** Measures the work of a model: of concurrent calls each gets the time since the previous one ended. */
export function workClock() {
  let lastEnd = -Infinity
  return async <T>(work: () => Promise<T>): Promise<Computed<T>> => {
    const start = performance.now()
    const value = await work()
    const now = performance.now()
    const milliseconds = now - Math.max(start, lastEnd)
    lastEnd = now
    return { value, milliseconds }
  }
}
