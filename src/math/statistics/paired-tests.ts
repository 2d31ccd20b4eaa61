import type { Alternative } from './descriptive.ts'
import { studentWithin } from './distributions.ts'
import { exp, log } from '../portable.ts'

/** A test of the pairs in which only one of two was right: `onlyA` and `onlyB` count them. */
interface McNemar {
  readonly statistic: number
  readonly p: number
  /**
   * Counts what was seen by half of its probability, which makes the test less conservative (Fagerland et al. 2013).
   */
  readonly midP: number
}

/**
 * McNemar's exact test by the binomial of a fair coin; `greater`: a is right where b is not more often than by chance.
 * The statistic is the smaller count. Two-sided, both p are 1 where the counts are equal. This is the one to report.
 */
export function mcnemar(onlyA: number, onlyB: number, alternative: Alternative = 'two-sided'): McNemar {
  const statistic = Math.min(onlyA, onlyB)
  const heads = { 'two-sided': statistic, greater: onlyB, less: onlyA }[alternative]
  const { atMost, exactly } = fairCoin(heads, onlyA + onlyB)
  const sides = alternative === 'two-sided' ? 2 : 1
  return { statistic, p: Math.min(1, sides * atMost), midP: Math.min(1, sides * (atMost - exactly / 2)) }
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

/**
 * Two one-sided t tests: `lower` against a mean of -margin or less, `upper` against one of margin or more; p is the
 * larger.
 */
interface Tost {
  readonly lower: number
  readonly upper: number
  readonly p: number
}

/**
 * Whether a mean lies within ±margin (TOST, Schuirmann 1987), from the mean, its standard error and the degrees of
 * freedom of the error; margin in the units of the mean. NaN where the error is 0 or unknown: equal values say nothing
 * of how much others would differ.
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
