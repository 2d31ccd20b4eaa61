/** How often each text came. */
export interface Counts {
  add(text: string, times?: number): void
  /** The highest count; 0 where nothing came. */
  most(): number
  /** All counts, in the order of the first time. */
  all(): Readonly<Record<string, number>>
}

export function counts(): Counts {
  const sums = new Map<string, number>()
  return {
    add: (text, times = 1) => void sums.set(text, (sums.get(text) ?? 0) + times),
    most: () => Math.max(0, ...sums.values()),
    all: () => Object.fromEntries(sums),
  }
}
