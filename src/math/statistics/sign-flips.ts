import { mulberry32 } from '../random.ts'
import { type Alternative, differences, sum } from './descriptive.ts'
import { grouped } from './cr2.ts'

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
 * Test of the mean of x - y where items come in clusters: the sum of the differences of every cluster may have either
 * sign. Two-sided by
 * |sum|. Exact up to 20 clusters (sums within 1e-12 are equal); above, (1 + count) / (1 + B) of B random signs.
 * Throws RangeError as `differences` does.
 */
export function clusterSignFlips(
  x: readonly number[],
  y: readonly number[],
  clusters: readonly (string | number)[],
  { alternative = 'two-sided', resamples = 9999, seed = 42 }: SignFlipOptions = {},
): SignFlips {
  return clusterTotalsFlips(
    [...grouped(differences(x, y), clusters).values()].map((group) => sum(group)),
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
  // the signs are symmetric: as many sums are at least t as are at most -t
  const whole = sum(totals)
  const observed = { 'two-sided': Math.abs(whole), greater: whole, less: -whole }[alternative] - slack
  const both = alternative === 'two-sided'
  if (exact) {
    const count = both && observed <= 0 ? all : (both ? 2 : 1) * countAtLeast(Array.from(totals), observed)
    return { p: count / all, smallestP: Math.min(1, (both ? 2 : 1) / all), permutations: all, exact }
  }
  const side = alternative === 'less' ? -1 : 1
  const isExtreme = (value: number): boolean => (both ? Math.abs(value) : side * value) >= observed
  const count = randomSums(totals, resamples, seed).reduce((found, value) => found + (isExtreme(value) ? 1 : 0), 0)
  return { p: (1 + count) / (1 + resamples), smallestP: 1 / (1 + resamples), permutations: resamples, exact }
}

/**
 * How many of the 2^n signs of the values give a sum of `least` or more: each sum is one of the first half and one of
 * the second.
 */
function countAtLeast(values: readonly number[], least: number): number {
  const half = values.length >> 1
  const [first, second] = [values.slice(0, half), values.slice(half)].map((part) => allSignSums(part).sort())
  let count = 0
  let from = second!.length
  for (const one of first!) {
    while (from > 0 && one + second![from - 1]! >= least) from--
    count += second!.length - from
  }
  return count
}

/** The sum under each draw of signs: eight values together take one of 256 sums. */
export function randomSums(totals: ArrayLike<number>, resamples: number, seed: number): Float64Array {
  const signs = drawnSigns(totals.length, resamples, seed)
  const sums = new Float64Array(resamples)
  for (let from = 0, start = 0; from < totals.length; from += 8, start += resamples) {
    const ofByte = allSignSums(Array.from({ length: Math.min(8, totals.length - from) }, (_, i) => totals[from + i]!))
    const mask = ofByte.length - 1
    for (let draw = 0; draw < resamples; draw++) sums[draw]! += ofByte[~signs[start + draw]! & mask]!
  }
  return sums
}

let last: { readonly key: string; readonly signs: Uint8Array } | undefined

/**
 * Signs for so many values, eight to a byte (1 is plus), the draws of the first eight values, then those of the next.
 * They depend on nothing but the seed and the counts, so that all pairs of rows of a table are tested with the same
 * signs: the last ones are kept.
 */
function drawnSigns(count: number, resamples: number, seed: number): Uint8Array {
  const key = `${count} ${resamples} ${seed}`
  if (last?.key === key) return last.signs
  const random = mulberry32(seed)
  const signs = new Uint8Array(Math.ceil(count / 8) * resamples)
  for (let draw = 0; draw < resamples; draw++)
    for (let word = 0; word < count / 32; word++) {
      const drawn = Math.floor(random() * 2 ** 32)
      for (let byte = 4 * word; byte < Math.min(4 * word + 4, count / 8); byte++)
        signs[byte * resamples + draw] = drawn >>> (8 * (byte % 4))
    }
  last = { key, signs }
  return signs
}

/** Up to here all 2^n signs of n values are tried; 2^20 sums take a few milliseconds. */
export const exactUpTo = 20

/** The sum under each of the 2^n signs; the first is that of the signs as they are. */
export function allSignSums(values: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(2 ** values.length)
  for (let bit = 0; bit < values.length; bit++) {
    const value = values[bit]!
    const known = 2 ** bit
    for (let signs = 0; signs < known; signs++) {
      const before = sums[signs]!
      sums[signs] = before + value
      sums[signs + known] = before - value
    }
  }
  return sums
}
