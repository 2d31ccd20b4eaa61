import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tally, type Summary } from './tally.ts'

const summaryOf = (runs: readonly (readonly number[])[]): Summary => {
  const sum = tally()
  for (const [run, values] of runs.entries()) for (const value of values) sum.add(String(run), value)
  return sum.summary()
}

describe('tally', () => {
  test('means inside runs first, then over runs, with the sample variance and the standard error', () => {
    const runs = [
      [0.5, 1],
      [0.25, 0.5],
    ]
    // run means 0.75 and 0.375; variance 2 * 0.1875^2, and its half is the square of the standard error
    const spread = { variance: 0.0703125, standardError: 0.1875, questionError: null }
    expect(summaryOf(runs)).toEqual({ mean: 0.5625, ...spread, runs: 2, n: 2 })
  })

  test('nothing scored has no mean; one run has no variance, and one question no spread', () => {
    const none = { variance: null, standardError: null, questionError: null }
    expect(summaryOf([])).toEqual({ mean: null, ...none, runs: 0, n: 0 })
    expect(summaryOf([[1]])).toEqual({ mean: 1, ...none, runs: 1, n: 1 })
  })

  test('one run has a standard error over its questions', () => {
    // variance of 0, 1, 1 is 1/3, and that over 3 questions is 1/9
    expect(summaryOf([[0, 1, 1]]).questionError).toBeCloseTo(1 / 3, 12)
  })

  test.each([0.21, 0.4811, 0.1, 1 / 3])('five runs of %j vary by exactly nothing', (value) => {
    expect(summaryOf(Array.from({ length: 5 }, () => [value]))).toMatchObject({ variance: 0, standardError: 0 })
  })

  test('the error over questions is that of a mean of runs with one question each', () => {
    const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 40 })
    fc.assert(
      fc.property(scores, (values) => {
        const apart = summaryOf(values.map((value) => [value]))
        expect(summaryOf([values]).questionError).toBeCloseTo(apart.standardError ?? NaN, 9)
      }),
    )
  })
})
