import type { Alternative } from './alternative.ts'
import { normalTail } from './normal.ts'
import { exp, log } from '../portable.ts'

/** A test of the pairs in which only one of two was right: `onlyA` and `onlyB` count them. */
export interface McNemar {
  readonly statistic: number
  readonly p: number
}

/** The exact test; its mid-p counts what was seen by half of its probability, which makes the test less conservative (Fagerland et al. 2013). */
export interface ExactMcNemar extends McNemar {
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
