import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numbersThatFit, sumAgrees, runNoise } from './audit.ts'
const percent = (digits: number) => ({ digits, whole: 100 })

describe('numbers that printed shares allow', () => {
  test('the number that the shares were made from is always among them, and no other that exact fractions exclude', () => {
    const made = fc.tuple(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 0, max: 3 })).chain(([n, places]) =>
      fc.record({
        n: fc.constant(n),
        whole: fc.constant(100 * 10 ** places),
        right: fc.array(fc.integer({ min: 0, max: n }), { minLength: 1, maxLength: 6 }),
      }),
    )
    fc.assert(
      fc.property(made, ({ n, whole, right }) => {
        // half up, in integers
        const shares = right.map((k) => ({ digits: Math.floor((2 * k * whole + n) / (2 * n)), whole }))
        const found = numbersThatFit(shares, 1, 150)
        expect(found).toContain(n)
        for (const other of found)
          for (const { digits } of shares) expect(nearest(digits, whole, other)).toBeLessThanOrEqual(other)
      }),
    )
  })

  /** Twice the least distance |k·whole − digits·n| of a whole k: at most n where rounding can give the digits. */
  const nearest = (digits: number, whole: number, n: number): number => {
    const k = Math.floor((digits * n) / whole)
    return 2 * Math.min(...[k, k + 1].filter((one) => one <= n).map((one) => Math.abs(one * whole - digits * n)))
  }

  test.each([
    // 1/8 = 12.5: 13 by half up, 12 by half even; 3/8 = 37.5 is 38 by both
    [12, true],
    [13, true],
    [37, false],
    [38, true],
    [0, true],
    [100, true],
    [101, false],
  ])('%d%% of 8: %s', (digits, fits) => {
    expect(numbersThatFit([percent(digits)], 8, 8)).toEqual(fits ? [8] : [])
  })

  test('digits that are printed count, also a last 0: 50.0% is not 50%', () => {
    expect(numbersThatFit([percent(50)], 1, 9)).toEqual([2, 4, 6, 8])
    expect(numbersThatFit([percent(50)], 101, 101)).toEqual([101])
    expect(numbersThatFit([{ digits: 500, whole: 1000 }], 101, 101)).toEqual([])
  })

  test('numbers that would not be exact are refused', () => {
    expect(() => numbersThatFit([{ digits: 1, whole: 1e15 }], 1, 10)).toThrow(RangeError)
    expect(() => numbersThatFit([{ digits: 0.5, whole: 100 }], 1, 10)).toThrow(RangeError)
  })
})

describe('what rounding allows', () => {
  const tenth = (value: number) => ({ value, decimals: 1 })

  test('a sum agrees up to the last half digit, without the error of floating point', () => {
    expect(sumAgrees([tenth(0.1), tenth(0.2)], tenth(0.3))).toEqual({ agrees: true, low: 0.2, high: 0.4 })
    // 0.4 may be from 0.35 on, 0.5 from 0.45 on
    expect(sumAgrees([tenth(0.1), tenth(0.2)], tenth(0.4)).agrees).toBe(true)
    expect(sumAgrees([tenth(0.1), tenth(0.2)], tenth(0.5)).agrees).toBe(false)
    // three thirds
    expect(sumAgrees([tenth(33.3), tenth(33.3), tenth(33.3)], { value: 100 }).agrees).toBe(true)
    expect(sumAgrees([tenth(33.2), tenth(33.2), tenth(33.3)], { value: 100 }).agrees).toBe(false)
  })

  test('a mean, of numbers with other decimal places', () => {
    const parts = [{ value: 1.25, decimals: 2 }, tenth(1.4)]
    expect(sumAgrees(parts, tenth(1.3), 2)).toEqual({ agrees: true, low: 1.2975, high: 1.3525 })
    expect(sumAgrees(parts, tenth(1.5), 2).agrees).toBe(false)
    expect(sumAgrees([{ value: 2 }, { value: 3 }], { value: 5 })).toEqual({ agrees: true, low: 5, high: 5 })
  })

  test('more digits than the decimal places are refused', () => {
    expect(() => sumAgrees([tenth(0.25)], tenth(0.3))).toThrow('0.25 is no number with 1 decimal places')
  })
})

describe('run noise', () => {
  const of = (mean: number, variance: number, runs = 5) => ({ mean, variance, runs })

  test("UnWeaver's best cells, by hand", () => {
    const covid = runNoise(of(0.3823, 13.2e-6), of(0.379, 6.02e-6))
    expect(covid.z).toBeCloseTo(0.0033 / Math.sqrt(19.22e-6 / 5), 10)
    expect([covid.z.toFixed(2), covid.exceeds]).toEqual(['1.68', false])
    expect(runNoise(of(0.4811, 24.7e-6), of(0.4793, 21.6e-6)).z.toFixed(2)).toBe('0.59')
  })

  test("the bound is Student's, by Welch: equal variances of 5 runs have 8 degrees of freedom, one that does not vary leaves 4", () => {
    expect(runNoise(of(1, 2), of(0, 2)).bound).toBeCloseTo(2.306, 3)
    expect(runNoise(of(1, 2), of(0, 0)).bound).toBeCloseTo(2.776, 3)
  })

  test('runs that do not vary', () => {
    expect(runNoise(of(2, 0), of(1, 0))).toMatchObject({ error: 0, exceeds: true })
    expect(runNoise(of(1, 0), of(1, 0))).toMatchObject({ error: 0, exceeds: false })
  })
})
