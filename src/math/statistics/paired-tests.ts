import { type Alternative, differences, percentile, mean, standardDeviation } from './descriptive.ts'
import { normalTail, studentWithin } from './distributions.ts'
import { exp, log } from '../portable.ts'
import { mulberry32 } from '../random.ts'

/** A test of the pairs in which only one of two was right: `onlyA` and `onlyB` count them. */
export interface McNemar {
  readonly statistic: number
  readonly p: number
}

/** The exact test; its mid-p counts what was seen by half of its probability, which makes the test less conservative (Fagerland et al. 2013). */
interface ExactMcNemar extends McNemar {
  readonly midP: number
}

/**
 * McNemar's exact test by the binomial of a fair coin; `greater`: a is right where b is not more often than by chance. The statistic is the
 * smaller count. Two-sided, both p are 1 where the counts are equal. This is the one to report.
 */
export function mcnemar(onlyA: number, onlyB: number, alternative: Alternative = 'two-sided'): ExactMcNemar {
  const statistic = Math.min(onlyA, onlyB)
  const heads = { 'two-sided': statistic, greater: onlyB, less: onlyA }[alternative]
  const { atMost, exactly } = fairCoin(heads, onlyA + onlyB)
  const sides = alternative === 'two-sided' ? 2 : 1
  return { statistic, p: Math.min(1, sides * atMost), midP: Math.min(1, sides * (atMost - exactly / 2)) }
}

/**
 * McNemar's chi-squared with one degree of freedom, (b-c)²/(b+c), or (|b-c|-1)²/(b+c) when corrected. Without such pairs it
 * is undefined, and comes out as statsmodels has it: NaN, or Infinity with p = 0 when corrected.
 */
export function mcnemarChiSquared(onlyA: number, onlyB: number, corrected: boolean): McNemar {
  const statistic = (Math.abs(onlyA - onlyB) - (corrected ? 1 : 0)) ** 2 / (onlyA + onlyB)
  return { statistic, p: 2 * normalTail(Math.sqrt(statistic)) }
}

/** Probability of at most k, and of exactly k heads in n throws, in logarithms because 2^n overflows. */
function fairCoin(k: number, n: number): { readonly atMost: number; readonly exactly: number } {
  let logWays = 0
  let atMost = 0
  let exactly = 0
  for (let heads = 0; heads <= k; heads++) {
    if (heads > 0) logWays += log((n - heads + 1) / heads)
    exactly = exp(logWays - n * Math.LN2)
    atMost += exactly
  }
  return { atMost, exactly }
}

/** Two one-sided t tests: `lower` against a mean of -margin or less, `upper` against one of margin or more; p is the larger. */
interface Tost {
  readonly lower: number
  readonly upper: number
  readonly p: number
}

/**
 * Whether a mean lies within ±margin (TOST, Schuirmann 1987), from the mean, its standard error and the degrees of freedom of the error;
 * margin in the units of the mean. NaN where the error is 0 or unknown: equal values say nothing of how much others would differ.
 */
export function tost(mean: number, error: number, degrees: number, margin: number): Tost {
  if (!(error > 0 && degrees >= 1)) return { lower: NaN, upper: NaN, p: NaN }
  const lower = studentAbove((mean + margin) / error, degrees)
  const upper = studentAbove((margin - mean) / error, degrees)
  return { lower, upper, p: Math.max(lower, upper) }
}

/** Probability that Student's t exceeds t. */
function studentAbove(t: number, degrees: number): number {
  const outside = 1 - studentWithin(t, degrees)
  return t > 0 ? outside / 2 : 1 - outside / 2
}

interface BootstrapOptions {
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
