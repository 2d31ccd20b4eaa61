import { studentBound } from './student.ts'
import { mean } from './sum.ts'
import { variance } from './variance.ts'

/**
 * What repeated runs say of a mean: its variance between runs (n - 1, our reading of "variance over runs"; the population's
 * beside it), the standard error of the mean of runs and its t interval. One run knows nothing of variance: NaN.
 */
export function runVariance(runMeans: readonly number[], level = 0.95) {
  const n = runMeans.length
  const centre = mean(runMeans)
  // seen from the first run, so that runs that agree do not vary by the rounding of their mean
  const deviations = runMeans.map((one) => one - (runMeans[0] ?? 0))
  const sample = variance(deviations)
  const standardError = Math.sqrt(sample / n)
  const reach = n > 1 ? studentBound(level, n - 1) * standardError : NaN
  return {
    n,
    mean: centre,
    variance: sample,
    populationVariance: variance(deviations, 0),
    varianceOfMean: sample / n,
    standardError,
    standardDeviation: Math.sqrt(sample),
    interval: [centre - reach, centre + reach] as const,
  }
}

/** `scores[run][item]` to the mean of every run over its items, and of every item over its runs. A NaN failed: it is left out and counted. */
export function meansOfRuns(scores: readonly (readonly number[])[]) {
  const items = scores[0]?.map((_, item) => scores.map((run) => run[item] ?? NaN)) ?? []
  return {
    runMeans: scores.map(meanOfValid),
    itemMeans: items.map(meanOfValid),
    failed: scores.flat().filter(Number.isNaN).length,
  }
}

const meanOfValid = (values: readonly number[]): number => mean(values.filter((value) => !Number.isNaN(value)))
