import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holm } from './corrections.ts'
import { mannWhitney } from './rank-tests.ts'
import { mcnemar } from './paired-tests.ts'
import { newcombePaired } from './proportions.ts'
import { cr2Mean, tost } from './cr2.ts'
import { normalTail, studentCritical, studentOutside } from './distributions.ts'
import { percentile, mean, sum, midRanks } from './descriptive.ts'
const near = (value: number) => expect.closeTo(value, 12) as number
const closeTo = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 12) as number)

describe('sum and mean', () => {
  test('is as accurate as pairwise summation', () => {
    expect(sum(new Float64Array(1_000_000).fill(0.1))).toBeCloseTo(100_000, 9)
    expect([sum([]), mean([])]).toEqual([0, NaN])
  })
})

describe('curves', () => {
  test('normal tail: tabulated values', () => {
    expect(normalTail(0)).toBe(0.5)
    expect(normalTail(1.959963984540054)).toBeCloseTo(0.025, 14)
    expect(normalTail(6) / 9.865876450376946e-10).toBeCloseTo(1, 10)
    expect([normalTail(Infinity), normalTail(-Infinity), normalTail(NaN)]).toEqual([0, 1, NaN])
  })

  test('Student: closed forms for 1 and 2 degrees, a table for more, the normal curve far out', () => {
    expect(studentCritical(0.95, 1)).toBeCloseTo(Math.tan(0.475 * Math.PI), 10)
    expect(studentCritical(0.95, 2)).toBeCloseTo(Math.sqrt((2 * 0.95 ** 2) / (1 - 0.95 ** 2)), 12)
    expect(studentCritical(0.95, 4)).toBeCloseTo(2.7764451, 7)
    expect(studentCritical(0.99, 9)).toBeCloseTo(3.2498355, 7)
    expect(studentOutside(1.5, 100_001)).toBeCloseTo(2 * normalTail(1.5), 5)
    expect(() => studentOutside(1, 0)).toThrow(RangeError)
  })
})

test('mid-ranks', () => {
  expect(midRanks([3, 1, 3, 2, 3])).toEqual({ ranks: [4, 1, 4, 2, 4], ties: [1, 1, 3] })
  expect(midRanks([])).toEqual({ ranks: [], ties: [] })
})

describe('mannWhitney', () => {
  test('exact by hand: 1 of the 20 orders is as far', () => {
    const options = { alternative: 'less' } as const
    expect(mannWhitney([1, 2, 3], [4, 5, 6], options)).toEqual({ u1: 0, u2: 9, p: 0.05, exact: true })
    expect(mannWhitney([1, 2, 3], [4, 5, 6]).p).toBe(0.1)
    expect(mannWhitney([1, 2, 3], [4, 5, 6], { alternative: 'greater' }).p).toBe(1)
  })

  test('uses the asymptotic test for ties; equal values give p = 1', () => {
    expect(mannWhitney([1, 1], [1, 2]).exact).toBe(false)
    expect(mannWhitney([5, 5], [5, 5, 5])).toMatchObject({ u1: 3, p: 1 })
    expect(() => mannWhitney([], [1])).toThrow(RangeError)
  })
})

describe('mcnemar', () => {
  test('by hand: 1 + 8 of the 256 throws, twice; mid-p counts the 8 by half', () => {
    expect(mcnemar(7, 1)).toEqual({ statistic: 1, p: near(18 / 256), midP: near(10 / 256) })
    expect(mcnemar(3, 3)).toMatchObject({ p: 1, midP: 1 })
    expect(mcnemar(0, 0)).toEqual({ statistic: 0, p: 1, midP: 1 })
    expect(mcnemar(3000, 2000).p).toBeLessThan(1e-40)
  })
})

describe('newcombePaired', () => {
  test('lies within ±1, contains the difference, and flips with the groups', () => {
    const count = fc.integer({ min: 0, max: 30 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), count, count, count, (both, onlyX, onlyY, neither) => {
        const { difference, low, high } = newcombePaired({ bothYes: both, onlyX, onlyY, neither })
        const turned = newcombePaired({ bothYes: both, onlyX: onlyY, onlyY: onlyX, neither })
        expect([turned.difference, turned.low, turned.high]).toEqual(closeTo([-difference, -high, -low]))
        expect(low).toBeGreaterThanOrEqual(-1 - 1e-12)
        expect(low).toBeLessThanOrEqual(difference)
        expect(high).toBeGreaterThanOrEqual(difference)
      }),
    )
  })
})

test('one text of 60 questions and nine of 3: under 2 degrees of freedom', () => {
  const clusters = Array.from({ length: 87 }, (_, i) => (i < 60 ? 0 : 1 + Math.floor((i - 60) / 3)))
  const { degrees, largest } = cr2Mean(
    clusters.map((cluster) => cluster % 2),
    clusters,
  )
  expect(degrees).toBeGreaterThan(1)
  expect(degrees).toBeLessThan(2)
  expect(largest).toBe(60 / 87)
})

describe('tost', () => {
  const within = (mean: number, error: number) => tost({ mean, error, degrees: 9 }, 0.1)

  test('one half at the margin, near 1 beyond it, near 0 well within', () => {
    expect(within(0.1, 0.02)).toMatchObject({ upper: 0.5, p: 0.5 })
    expect(within(0.3, 0.02).p).toBeGreaterThan(0.999)
    expect(within(0, 0.001).p).toBeLessThan(1e-9)
    expect(within(-0.3, 0.02).lower).toBeGreaterThan(0.999)
  })
})

describe('corrections', () => {
  test('by hand, in the order of the input', () => {
    const p = [0.01, 0.04, 0.03, 0.005]
    expect(holm(p)).toEqual(closeTo([0.03, 0.06, 0.06, 0.02]))
    expect(holm([])).toEqual([])
  })

  test('never below the raw p, never above Bonferroni, and in the same order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (p) => {
        const adjusted = holm(p)
        adjusted.forEach((value, i) => {
          expect(value).toBeGreaterThanOrEqual(p[i]! - 1e-15)
          expect(value).toBeLessThanOrEqual(Math.min(1, p[i]! * p.length) + 1e-15)
          adjusted.forEach((other, j) => p[i]! < p[j]! && expect(value).toBeLessThanOrEqual(other))
        })
      }),
    )
  })
})

test('percentile', () => {
  expect([0, 2.5, 25, 50, 100].map((q) => percentile([3, 1, 2], q))).toEqual(closeTo([1, 1.05, 1.5, 2, 3]))
  expect(percentile([7], 33)).toBe(7)
  expect(() => percentile([], 50)).toThrow(RangeError)
  expect(() => percentile([1], 101)).toThrow(RangeError)
})
