/** Counts what is left out of a dataset, by what it is. */
export interface Tally {
  readonly add: (what: string) => void
  /** The counts, by the names of what it is, so that the order on disk does not count. */
  counts(): Readonly<Record<string, number>>
}

/** A tally that has counted nothing yet. */
export function tally(): Tally {
  const counts = new Map<string, number>()
  return {
    add: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    counts: () => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
