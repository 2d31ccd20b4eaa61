import { exp, log } from '../portable.ts'

/** A test of discordant pairs. */
interface McNemar {
  readonly statistic: number
  readonly p: number
  /** The mid-p value: less conservative (Fagerland et al. 2013). */
  readonly midP: number
}

/**
 * McNemar's exact two-sided test by the binomial of a fair coin. The statistic is the smaller count; both p are 1 where
 * the counts are equal.
 */
export function mcnemar(onlyA: number, onlyB: number): McNemar {
  const statistic = Math.min(onlyA, onlyB)
  const { atMost, exactly } = fairCoin(statistic, onlyA + onlyB)
  return { statistic, p: Math.min(1, 2 * atMost), midP: Math.min(1, 2 * (atMost - exactly / 2)) }
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
