import { describe, expect, test } from 'vitest'
import { mannWhitney } from './rank-tests.ts'
import { mcnemar } from './paired-tests.ts'
import { cr2Mean } from './cr2.ts'
import { normalTail, studentCritical, studentOutside } from './distributions.ts'
import { mean, sum } from './descriptive.ts'

test('a sum is as accurate as pairwise summation', () => {
  expect(sum(new Float64Array(1_000_000).fill(0.1))).toBeCloseTo(100_000, 9)
  expect([sum([]), mean([])]).toEqual([0, NaN])
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

test('Mann and Whitney: uses the asymptotic test for ties; equal values give p = 1', () => {
  expect(mannWhitney([1, 1], [1, 2]).exact).toBe(false)
  expect(mannWhitney([5, 5], [5, 5, 5])).toMatchObject({ u1: 3, p: 1 })
  expect(() => mannWhitney([], [1])).toThrow(RangeError)
})

test('mcnemar does not overflow for thousands of discordant pairs', () =>
  expect(mcnemar(3000, 2000).p).toBeLessThan(1e-40))

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
