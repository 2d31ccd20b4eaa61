import { type Alternative, differences } from './descriptive.ts'
import { mulberry32 } from '../random.ts'
import { allSignSums, exactUpTo } from './sign-flips.ts'

export interface PermutationOptions {
  readonly alternative?: Alternative
  readonly resamples?: number
  readonly seed?: number
}

/**
 * Paired permutation test of the mean of x - y: every difference may have either sign (Fisher 1935). Exact up to 20 pairs;
 * above, (1 + count) / (1 + B) of B random signs. Two-sided is twice the smaller side. Throws RangeError as `differences` does.
 */
export function pairedPermutation(x: readonly number[], y: readonly number[], options: PermutationOptions = {}) {
  const { alternative = 'two-sided', resamples = 10_000, seed = 42 } = options
  const d = differences(x, y)
  const exact = d.length <= exactUpTo
  const sums = exact ? allSignSums(d) : randomSums(d, resamples, seed)
  const observed = d.reduce((sum, value) => sum + value, 0)
  // sums that differ by rounding alone are the same sum
  const slack = 1e-13 * d.reduce((sum, value) => sum + Math.abs(value), 0)
  const seen = exact ? 0 : 1
  const share = (isExtreme: (sum: number) => boolean) =>
    (seen + sums.reduce((count, sum) => count + (isExtreme(sum) ? 1 : 0), 0)) / (seen + sums.length)
  const greater = share((sum) => sum >= observed - slack)
  const less = share((sum) => sum <= observed + slack)
  const p = { greater, less, 'two-sided': Math.min(1, 2 * Math.min(greater, less)) }[alternative]
  return { mean: observed / d.length, p, permutations: sums.length, exact }
}

function randomSums(d: readonly number[], resamples: number, seed: number): Float64Array {
  const random = mulberry32(seed)
  return Float64Array.from({ length: resamples }, () =>
    d.reduce((sum, value) => sum + (random() < 0.5 ? value : -value), 0),
  )
}
