import { expect, test } from 'vitest'
import { spearman } from './spearman.ts'

// scipy 1.17.1: spearmanr, and permutation_test with permutation_type='pairings' over every order; where ties make the
// orders uneven, which scipy doubles the smaller tail of, p is that of every order tried in Python
test.each([
  [[1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5], 0.8285714285714287, 0.058333333333333334],
  [[0.1, 0.1, 0.4, 0.3, 0.9, 0.7, 0.2], [5, 3, 3, 8, 9, 9, 1], 0.6514035610330967, 0.1246031746031746],
  [[0, 1, 2, 3, 4, 5, 6, 7], [7, 6, 5, 4, 3, 2, 1, 0], -1, 4.96031746031746e-5],
])('%j with %j as scipy', (x, y, rho, p) => {
  const found = spearman(x, y)
  expect(found).toEqual({ rho: expect.closeTo(rho, 12) as number, p: expect.closeTo(p, 12) as number, exact: true })
})

test('more than 8 pairs take random orders, the same ones for a seed; p is near that of Student', () => {
  const x = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]
  const y = [2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5]
  const found = spearman(x, y)
  expect(found.rho).toBeCloseTo(0.1415796863640157, 12)
  expect(found.exact).toBe(false)
  expect(Math.abs(found.p - 0.6607268292868227)).toBeLessThan(0.02)
  expect(spearman(x, y)).toEqual(found)
  expect(spearman(x, x).p).toBe(1 / 10_000)
})

test('lists that do not vary have no correlation, and lists of unequal length are refused', () => {
  expect(spearman([1, 1, 1], [1, 2, 3])).toEqual({ rho: NaN, p: NaN, exact: true })
  expect(() => spearman([1], [])).toThrow('pairs of 1 and 0 numbers')
})
