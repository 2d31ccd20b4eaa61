import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { constrainedLeastSquares, proportionalFairness } from './allocation.ts'

const close = (got: readonly number[], expected: readonly number[], digits: number) => {
  expect(got).toHaveLength(expected.length)
  got.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, digits))
}

const times = (rows: readonly (readonly number[])[], x: readonly number[]) =>
  rows.map((row) => row.reduce((total, value, s) => total + value * x[s]!, 0))

describe('proportional fairness', () => {
  const options = { tolerance: 1e-4, maxIterations: 5000 }

  test('a slack budget, and a resource that no class uses, are free', () => {
    const constraints = [
      [1, 1, 0],
      [1, 1, 1],
    ]
    const slack = { constraints, gamma: [1, 2, 0.5], budgets: [5, 2] }
    const { x, prices } = proportionalFairness(slack, { ...options, tolerance: 1e-10 })
    close([...x, ...prices], [4 / 7, 8 / 7, 2 / 7, 0, 1.75], 8)
    const unused = proportionalFairness({ constraints: [[1], [0]], gamma: [1], budgets: [1, 1] }, options)
    expect(unused).toMatchObject({ prices: [1, 0], converged: true })
  })

  const someProblem = fc
    .record({
      rows: fc.array(fc.array(fc.constantFrom(0, 1), { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 8 }),
      gamma: fc.array(fc.double({ min: 0.05, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 }),
    })
    .map(({ rows, gamma }) => ({ constraints: [...rows, [1, 1, 1, 1, 1]], gamma, budgets: [...rows, []].map(() => 1) }))

  test('solutions are feasible, satisfy complementary slackness, and price a class at gamma / x', () => {
    fc.assert(
      fc.property(someProblem, (problem) => {
        const { x, prices, converged } = proportionalFairness(problem, options)
        expect(converged).toBe(true)
        for (const [k, use] of times(problem.constraints, x).entries()) {
          expect(use - 1).toBeLessThan(1e-3)
          expect(Math.abs(prices[k]! * (use - 1))).toBeLessThan(1e-3)
        }
        x.forEach((share, s) => {
          const price = problem.constraints.reduce((total, row, k) => total + row[s]! * prices[k]!, 0)
          expect(price).toBeCloseTo(problem.gamma[s]! / share, 9)
        })
      }),
    )
  })
})

describe('constrained least squares', () => {
  test('a duplicated constraint shares its multiplier', () => {
    const square = [
      [1, 0],
      [0, 1],
    ]
    const constraints = square.map(() => [1, 1])
    const fit = constrainedLeastSquares({ vectors: square, target: [2, 3], constraints, budgets: [1, 1] })
    close([...fit.x, ...fit.multipliers], [0, 1, 1, 1], 12)
    expect(fit).toMatchObject({ size: 4, rank: 3, singular: true })
    expect(fit.residual).toBeLessThan(1e-12)
  })

  test('contradictory constraints have a large residual', () => {
    const fit = constrainedLeastSquares({ vectors: [[1]], target: [0], constraints: [[1], [1]], budgets: [1, 3] })
    expect(fit.singular).toBe(true)
    expect(fit.residual).toBeCloseTo(1, 12)
  })
})
