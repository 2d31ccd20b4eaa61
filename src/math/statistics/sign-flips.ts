import { mulberry32 } from '../random.ts'
import { type Alternative, differences, sum } from './descriptive.ts'
import { groupByCluster } from './cr2.ts'

interface SignFlipOptions {
  readonly alternative?: Alternative
  /** Random signs above 20 clusters. */
  readonly resamples?: number
  readonly seed?: number
}

interface SignFlips {
  readonly p: number
  /** The smallest p that so many clusters can give. */
  readonly smallestP: number
  readonly permutations: number
  readonly exact: boolean
}

/**
 * Sign-flip permutation test of the mean of x - y with clustered items: flips the sums of whole clusters. Two-sided by
 * |sum|. Exact up to 20 clusters (sums within 1e-12 are equal); above, (1 + count) / (1 + B) of B random signs. Throws
 * RangeError as `differences` does.
 */
export function clusterSignFlips(
  x: readonly number[],
  y: readonly number[],
  clusters: readonly (string | number)[],
  { alternative = 'two-sided', resamples = 9999, seed = 42 }: SignFlipOptions = {},
): SignFlips {
  return clusterTotalsFlips(
    [...groupByCluster(differences(x, y), clusters).values()].map((group) => sum(group)),
    { alternative, resamples, seed },
  )
}

/** The same test from the sum of the differences of every cluster; clusters whose sum is 0 may be left out. */
export function clusterTotalsFlips(
  totals: ArrayLike<number>,
  { alternative = 'two-sided', resamples = 9999, seed = 42 }: SignFlipOptions,
): SignFlips {
  const exact = totals.length <= exactUpTo
  const all = 2 ** totals.length
  const slack = 1e-12 * Math.max(1, sum(Array.from(totals, Math.abs)))
  // the null distribution is symmetric
  const total = sum(totals)
  const statistic = { 'two-sided': Math.abs(total), greater: total, less: -total }[alternative] - slack
  const isTwoSided = alternative === 'two-sided'
  if (exact) {
    const sides = isTwoSided ? 2 : 1
    const isAll = isTwoSided && statistic <= 0
    const count = isAll ? all : sides * countAtLeast(Array.from(totals), statistic)
    return { p: count / all, smallestP: Math.min(1, sides / all), permutations: all, exact }
  }
  const side = alternative === 'less' ? -1 : 1
  const isExtreme = (value: number): boolean => (isTwoSided ? Math.abs(value) : side * value) >= statistic
  const sums = randomSums(totals, resamples, seed)
  const count = sums.reduce((extremes, value) => extremes + (isExtreme(value) ? 1 : 0), 0)
  const trials = 1 + resamples
  return { p: (1 + count) / trials, smallestP: 1 / trials, permutations: resamples, exact }
}

/** Counts the 2^n signed sums of at least `least`, by meet in the middle. */
function countAtLeast(values: readonly number[], least: number): number {
  const half = values.length >> 1
  const first = allSignSums(values.slice(0, half)).sort()
  const second = allSignSums(values.slice(half)).sort()
  let count = 0
  let from = second.length
  for (const head of first) {
    while (from > 0 && head + second[from - 1]! >= least) from--
    count += second.length - from
  }
  return count
}

/** The sum under each random sign vector, by tables of 256 sums per eight values. */
export function randomSums(totals: ArrayLike<number>, resamples: number, seed: number): Float64Array {
  const signs = drawSigns(totals.length, resamples, seed)
  const sums = new Float64Array(resamples)
  for (let from = 0, start = 0; from < totals.length; from += 8, start += resamples) {
    const length = Math.min(8, totals.length - from)
    const ofByte = allSignSums(Array.from({ length }, (_, i) => totals[from + i]!))
    const mask = ofByte.length - 1
    for (let draw = 0; draw < resamples; draw++) sums[draw]! += ofByte[~signs[start + draw]! & mask]!
  }
  return sums
}

let last: { readonly key: string; readonly signs: Uint8Array } | undefined

/**
 * Random signs, eight values per byte (1 is plus), grouped by byte. They depend on the seed and counts alone, so all
 * pairs of a table share them; the last ones are cached.
 */
function drawSigns(count: number, resamples: number, seed: number): Uint8Array {
  const key = `${count} ${resamples} ${seed}`
  if (last?.key === key) return last.signs
  const random = mulberry32(seed)
  const signs = new Uint8Array(Math.ceil(count / 8) * resamples)
  for (let draw = 0; draw < resamples; draw++)
    for (let word = 0; word < count / 32; word++) {
      const bits = Math.floor(random() * 2 ** 32)
      for (let byte = 4 * word; byte < Math.min(4 * word + 4, count / 8); byte++)
        signs[byte * resamples + draw] = bits >>> (8 * (byte % 4))
    }
  last = { key, signs }
  return signs
}

/** Up to here the test is exact; 2^20 sums take a few milliseconds. */
export const exactUpTo = 20

/** The sums under all 2^n sign vectors, the identity first. */
export function allSignSums(values: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(2 ** values.length)
  for (let bit = 0; bit < values.length; bit++) {
    const value = values[bit]!
    const offset = 2 ** bit
    for (let signs = 0; signs < offset; signs++) {
      const before = sums[signs]!
      sums[signs] = before + value
      sums[signs + offset] = before - value
    }
  }
  return sums
}
