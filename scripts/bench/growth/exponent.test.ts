import { expect, test } from 'vitest'
import { exponents } from './page.ts'

test('the exponent of a power, and of the last step alone', () => {
  expect(exponents([100, 1000, 10_000], [3e4, 3e6, 3e8], 1)).toEqual({
    all: expect.closeTo(2, 10) as number,
    last: expect.closeTo(2, 10) as number,
  })
  // by hand: slopes 1 and 2 of equal steps
  expect(exponents([10, 100, 1000], [1, 10, 1000], 1)).toEqual({
    all: expect.closeTo(1.5, 10) as number,
    last: expect.closeTo(2, 10) as number,
  })
})

test('what is too small to tell is left out; one measurement has no slope', () => {
  expect(exponents([10, 100, 1000], [0.4, 10, 100], 1)?.all).toBeCloseTo(1, 10)
  expect(exponents([10, 100, 1000], [0, 0.9, 100], 1)).toBeUndefined()
})
