/** Values by run, added up as they come: a mean over items inside each run first, then over runs (metrics.md 3.1). */
export interface Tally {
  add(run: string, value: number): void
  summary(): Summary
}

export interface Summary {
  /** Mean of the run means; null where nothing was scored. */
  readonly mean: number | null
  /** Sample variance (n - 1) of the run means; null for fewer than two runs. */
  readonly variance: number | null
  readonly runs: number
  /** Items scored, in the run that scored most. */
  readonly n: number
}

export function tally(): Tally {
  const runs = new Map<string, { sum: number; count: number }>()
  return {
    add(run, value) {
      const known = runs.get(run)
      if (known) {
        known.sum += value
        known.count++
      } else runs.set(run, { sum: value, count: 1 })
    },
    summary() {
      const means = [...runs.values()].map(({ sum, count }) => sum / count)
      const mean = means.length === 0 ? null : means.reduce((sum, one) => sum + one, 0) / means.length
      const spread = mean === null ? 0 : means.reduce((sum, one) => sum + (one - mean) ** 2, 0)
      return {
        mean,
        variance: means.length < 2 ? null : spread / (means.length - 1),
        runs: means.length,
        n: Math.max(0, ...[...runs.values()].map(({ count }) => count)),
      }
    },
  }
}
