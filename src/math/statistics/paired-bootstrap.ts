import { mulberry32 } from '../random.ts'
import { differences } from './pairs.ts'
import { percentile } from './percentile.ts'
import { mean } from './sum.ts'
import { standardDeviation } from './variance.ts'

export interface BootstrapOptions {
  readonly resamples?: number
  readonly seed?: number
  /** Level of the interval, in (0, 1). */
  readonly level?: number
}

/**
 * Percentile bootstrap of the mean of x - y over items (Efron and Tibshirani 1993, chapter 13): n draws per resample, resample
 * after resample, from one stream of mulberry32. Throws RangeError as `differences` does.
 */
export function pairedBootstrap(x: readonly number[], y: readonly number[], options: BootstrapOptions = {}) {
  const { resamples = 2000, seed = 42, level = 0.95 } = options
  const d = differences(x, y)
  const random = mulberry32(seed)
  const draw = () => d.map(() => Math.floor(random() * d.length))
  return bootstrapOf(d, Array.from({ length: resamples }, draw), level)
}

/** The same for given resamples, each a list of indices into the differences. */
export function bootstrapOf(d: readonly number[], resamples: readonly (readonly number[])[], level: number) {
  const means = resamples.map((indices) => mean(indices.map((index) => d[index]!)))
  const tail = 50 * (1 - level)
  return {
    mean: mean(d),
    low: percentile(means, tail),
    high: percentile(means, 100 - tail),
    median: percentile(means, 50),
    shareAtMostZero: means.filter((value) => value <= 0).length / means.length,
    standardDeviation: standardDeviation(means),
  }
}
