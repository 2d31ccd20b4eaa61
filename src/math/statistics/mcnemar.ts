import { normalTail } from './normal.ts'

/** A test of the pairs in which only one of two was right: `onlyA` and `onlyB` count them. */
export interface McNemar {
  readonly statistic: number
  readonly p: number
}

/** McNemar's exact test, two-sided binomial; the statistic is the smaller count. Without such pairs p is 1. This is the one to report. */
export function mcnemar(onlyA: number, onlyB: number): McNemar {
  const statistic = Math.min(onlyA, onlyB)
  return { statistic, p: Math.min(1, 2 * fairCoinAtMost(statistic, onlyA + onlyB)) }
}

/**
 * McNemar's chi-squared with one degree of freedom, (b-c)²/(b+c), or (|b-c|-1)²/(b+c) when corrected. Without such pairs it
 * is undefined, and comes out as statsmodels has it: NaN, or Infinity with p = 0 when corrected.
 */
export function mcnemarChiSquared(onlyA: number, onlyB: number, corrected: boolean): McNemar {
  const statistic = (Math.abs(onlyA - onlyB) - (corrected ? 1 : 0)) ** 2 / (onlyA + onlyB)
  return { statistic, p: 2 * normalTail(Math.sqrt(statistic)) }
}

/** Probability of at most k heads in n throws of a fair coin, in logarithms because 2^n overflows. */
function fairCoinAtMost(k: number, n: number): number {
  let logWays = 0
  let sum = 0
  for (let heads = 0; heads <= k; heads++) {
    if (heads > 0) logWays += Math.log((n - heads + 1) / heads)
    sum += Math.exp(logWays - n * Math.LN2)
  }
  return sum
}
