import { runVariance } from '../math/statistics/run-variance.ts'

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
  /** Of the mean, over runs; null for fewer than two runs. */
  readonly standardError: number | null
  /** Of the mean, over the items of the only run; null for several runs and for fewer than two items. */
  readonly questionError: number | null
  readonly runs: number
  /** Items scored, in the run that scored most. */
  readonly n: number
}

interface Run {
  sum: number
  count: number
  /** Sum of the squared distances from the mean (Welford). */
  spread: number
}

export function tally(): Tally {
  const runs = new Map<string, Run>()
  return {
    add(run, value) {
      const known = runs.get(run)
      if (!known) {
        runs.set(run, { sum: value, count: 1, spread: 0 })
        return
      }
      const before = known.sum / known.count
      known.sum += value
      known.count++
      known.spread += (value - before) * (value - known.sum / known.count)
    },
    summary() {
      const all = [...runs.values()]
      const { mean, variance, standardError } = runVariance(all.map(({ sum, count }) => sum / count))
      return {
        mean: finite(mean),
        variance: finite(variance),
        standardError: finite(standardError),
        questionError: errorInside(all),
        runs: all.length,
        n: Math.max(0, ...all.map(({ count }) => count)),
      }
    },
  }
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

function errorInside([only, ...others]: readonly Run[]): number | null {
  if (!only || others.length > 0 || only.count < 2) return null
  return Math.sqrt(only.spread / (only.count - 1) / only.count)
}
