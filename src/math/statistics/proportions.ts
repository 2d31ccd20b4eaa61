import { normalCritical } from './distributions.ts'

/** Wilson's score interval of a proportion (Wilson 1927). Throws RangeError unless 0 <= successes <= n and n > 0. */
export function wilson(successes: number, n: number, level = 0.95): { readonly low: number; readonly high: number } {
  if (!(n > 0 && successes >= 0 && successes <= n)) throw new RangeError(`${successes} of ${n} is no proportion`)
  const z = normalCritical(level)
  const p = successes / n
  const centre = (p + z ** 2 / (2 * n)) / (1 + z ** 2 / n)
  const reach = (z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2))) / (1 + z ** 2 / n)
  return { low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) }
}

/** Pairs of two yes-or-no results x and y, counted by which of them is yes. */
interface PairCounts {
  readonly bothYes: number
  readonly onlyX: number
  readonly onlyY: number
  readonly neither: number
}

/** The difference of two paired proportions; `phi` is their correlation with Newcombe's correction. */
interface PairedProportions {
  readonly difference: number
  readonly low: number
  readonly high: number
  readonly phi: number
}

/**
 * The share of x minus that of y with its interval by Wilson's of both shares (Newcombe 1998, Statistics in Medicine
 * 17, 2635, method 10). Throws RangeError where there is no pair.
 */
export function newcombePaired(counts: PairCounts, level = 0.95): PairedProportions {
  const { bothYes, onlyX, onlyY, neither } = counts
  const n = bothYes + onlyX + onlyY + neither
  const shareOf = (yes: number) => ({ share: yes / n, ...wilson(yes, n, level) })
  const x = shareOf(bothYes + onlyX)
  const y = shareOf(bothYes + onlyY)
  const difference = (onlyX - onlyY) / n
  const phi = correlation(counts, n)
  const reach = (a: number, b: number): number => Math.sqrt(Math.max(0, a ** 2 - 2 * phi * a * b + b ** 2))
  return {
    difference,
    low: difference - reach(x.share - x.low, y.high - y.share),
    high: difference + reach(x.high - x.share, y.share - y.low),
    phi,
  }
}

/** 0 where a margin is empty; with the continuity correction n / 2. */
function correlation({ bothYes, onlyX, onlyY, neither }: PairCounts, n: number): number {
  const margins = (bothYes + onlyX) * (onlyY + neither) * (bothYes + onlyY) * (onlyX + neither)
  if (margins === 0) return 0
  const product = bothYes * neither - onlyX * onlyY
  return (product > 0 ? Math.max(0, product - n / 2) : product) / Math.sqrt(margins)
}
