import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../random.ts'
import type { Alternative } from './descriptive.ts'
import { clusterSignFlips, allSignSums } from './sign-flips.ts'
const alternatives = ['two-sided', 'greater', 'less'] as const

/** The test as its definition has it: every sum beside the one that is seen. */
function plainly(totals: readonly number[], sums: readonly number[], alternative: Alternative): number {
  const seen = totals.reduce((a, b) => a + b, 0)
  const isExtreme = (value: number): boolean => {
    if (alternative === 'two-sided') return Math.abs(value) >= Math.abs(seen) - 1e-9
    return alternative === 'greater' ? value >= seen - 1e-9 : value <= seen + 1e-9
  }
  return sums.filter(isExtreme).length
}

/** Sums under signs drawn 32 at a time, the first value by the lowest bit. */
function drawnSums(totals: readonly number[], resamples: number, seed: number): number[] {
  const random = mulberry32(seed)
  return Array.from({ length: resamples }, () => {
    let signs = 0
    return totals.reduce((total, value, i) => {
      signs = i % 32 === 0 ? Math.floor(random() * 2 ** 32) : signs >>> 1
      return total + (signs & 1 ? value : -value)
    }, 0)
  })
}

/** Differences with many ties, one a cluster. */
function tied(count: number, seed: number): number[] {
  const random = mulberry32(seed)
  return Array.from({ length: count }, () => Math.floor(5 * random() - 1.5) / 10)
}

const tested = (totals: readonly number[], more: { alternative?: Alternative; resamples?: number; seed?: number }) =>
  clusterSignFlips(
    totals,
    totals.map(() => 0),
    [...totals.keys()],
    more,
  )

describe('up to 20 clusters the test is exact', () => {
  test.each([1, 2, 3, 5, 8, 13])('%d clusters', (count) => {
    for (const seed of [1, 2, 3, 4])
      for (const alternative of alternatives) {
        const totals = tied(count, seed)
        const all = [...allSignSums(totals)]
        const { p, exact, permutations } = tested(totals, { alternative })
        expect([p, exact, permutations]).toEqual([plainly(totals, all, alternative) / all.length, true, 2 ** count])
      }
  })

  test('20 clusters with one sign each have the smallest p', () => {
    const found = tested(new Array<number>(20).fill(0.1), {})
    expect(found.p).toBe(2 ** -19)
    expect(found.smallestP).toBe(found.p)
  })
})

describe('above 20 clusters the test draws random signs', () => {
  test.each([21, 24, 31, 32, 33, 40, 64, 65, 100])('%d clusters', (count) => {
    for (const alternative of alternatives) {
      const totals = tied(count, count)
      const { p, exact, smallestP } = tested(totals, { alternative, resamples: 999, seed: 7 })
      const sums = drawnSums(totals, 999, 7)
      expect([p, exact, smallestP]).toEqual([(1 + plainly(totals, sums, alternative)) / 1000, false, 1 / 1000])
    }
  })

  test('earlier tests do not affect results: cached signs are keyed by counts and seed', () => {
    const totals = tied(30, 5)
    const first = tested(totals, { seed: 1 }).p
    tested(totals, { seed: 2 })
    tested(tied(31, 5), { seed: 1 })
    tested(totals, { seed: 1, resamples: 99 })
    expect(tested(totals, { seed: 1 }).p).toBe(first)
    expect(tested(totals, { seed: 2 }).p).not.toBe(first)
  })
})
