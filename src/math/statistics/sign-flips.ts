import { mulberry32 } from '../random.ts'
import type { Alternative } from './alternative.ts'
import { grouped } from './clustered.ts'
import { differences } from './pairs.ts'
import { allSignSums, exactUpTo } from './sign-sums.ts'
import { sum } from './sum.ts'

export interface SignFlipOptions {
  readonly alternative?: Alternative
  /** Random signs above 20 clusters. */
  readonly resamples?: number
  readonly seed?: number
}

export interface SignFlips {
  readonly p: number
  /** The smallest p that so many clusters can give. */
  readonly smallestP: number
  readonly permutations: number
  readonly exact: boolean
}

/**
 * Test of the mean of x - y where items come in clusters: the sum of the differences of every cluster may have either sign. Two-sided by
 * |sum|. Exact up to 20 clusters (sums within 1e-12 are equal); above, (1 + count) / (1 + B) of B random signs.
 * Throws RangeError as `differences` does.
 */
export function clusterSignFlips(
  x: readonly number[],
  y: readonly number[],
  clusters: readonly (string | number)[],
  { alternative = 'two-sided', resamples = 9999, seed = 42 }: SignFlipOptions = {},
): SignFlips {
  const totals = [...grouped(differences(x, y), clusters).values()].map((group) => sum(group))
  const exact = totals.length <= exactUpTo
  const observed = sum(totals)
  const slack = 1e-12 * Math.max(1, sum(totals.map(Math.abs)))
  const isExtreme: Record<Alternative, (value: number) => boolean> = {
    'two-sided': (value) => Math.abs(value) >= Math.abs(observed) - slack,
    greater: (value) => value >= observed - slack,
    less: (value) => value <= observed + slack,
  }
  const sums = exact ? allSignSums(totals) : randomSums(totals, resamples, seed)
  const seen = exact ? 0 : 1
  const count = sums.reduce((found, value) => found + (isExtreme[alternative](value) ? 1 : 0), 0)
  const all = 2 ** totals.length
  return {
    p: (seen + count) / (seen + sums.length),
    smallestP: exact ? (alternative === 'two-sided' ? Math.min(1, 2 / all) : 1 / all) : 1 / (1 + resamples),
    permutations: sums.length,
    exact,
  }
}

/** 32 signs a draw. */
function randomSums(totals: readonly number[], resamples: number, seed: number): Float64Array {
  const random = mulberry32(seed)
  return Float64Array.from({ length: resamples }, () => {
    let total = 0
    let signs = 0
    for (let i = 0; i < totals.length; i++) {
      signs = i % 32 === 0 ? Math.floor(random() * 2 ** 32) : signs >>> 1
      total += signs & 1 ? totals[i]! : -totals[i]!
    }
    return total
  })
}
