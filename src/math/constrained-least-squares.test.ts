import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { constrainedLeastSquares } from './allocation.ts'

const close = (got: readonly number[], expected: readonly number[], digits = 12) => {
  expect(got).toHaveLength(expected.length)
  got.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, digits))
}

const times = (rows: readonly (readonly number[])[], x: readonly number[]) =>
  rows.map((row) => row.reduce((total, value, s) => total + value * x[s]!, 0))

describe('by hand', () => {
  test('a duplicated constraint shares its multiplier', () => {
    const constraints = [
      [1, 1],
      [1, 1],
    ]
    const fit = constrainedLeastSquares({
      vectors: [
        [1, 0],
        [0, 1],
      ],
      target: [2, 3],
      constraints,
    })
    close([...fit.x, ...fit.multipliers], [0, 1, 1, 1])
    expect(fit).toMatchObject({ size: 4, rank: 3, singular: true })
    expect(fit.residual).toBeLessThan(1e-12)
  })

  test('contradictory constraints have a large residual', () => {
    const constraints = [[1], [1]]
    const fit = constrainedLeastSquares({ vectors: [[1]], target: [0], constraints, budgets: [1, 3] })
    expect(fit.singular).toBe(true)
    expect(fit.residual).toBeCloseTo(1, 12)
  })
})

test('solutions satisfy the constraints and are optimal along them', () => {
  const number = fc.double({ min: -1, max: 1, noNaN: true })
  const rows = (height: number) =>
    fc.array(fc.array(number, { minLength: 4, maxLength: 4 }), { minLength: height, maxLength: height })
  const target = fc.array(number, { minLength: 6, maxLength: 6 })
  fc.assert(
    fc.property(rows(6), target, fc.array(number, { minLength: 2, maxLength: 2 }), (vectors, wanted, step) => {
      // two chunks of two classes each: steps that keep both move their classes against each other
      const constraints = [
        [1, 1, 0, 0],
        [0, 0, 1, 1],
      ]
      const { x } = constrainedLeastSquares({ vectors, target: wanted, constraints })
      close(times(constraints, x), [1, 1], 8)
      const distance = (point: readonly number[]) =>
        times(vectors, point).reduce((total, value, i) => total + (value - wanted[i]!) ** 2, 0)
      const aside = [x[0]! + step[0]!, x[1]! - step[0]!, x[2]! + step[1]!, x[3]! - step[1]!]
      expect(distance(aside)).toBeGreaterThanOrEqual(distance(x) - 1e-8)
    }),
  )
})
