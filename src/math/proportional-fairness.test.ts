import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proportionalFairness } from './allocation.ts'

const close = (got: readonly number[], expected: readonly number[], digits: number) => {
  expect(got).toHaveLength(expected.length)
  got.forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, digits))
}

/** UnWeaver, Appendix D. */
const appendixD = {
  constraints: [
    [1, 0, 1],
    [0, 1, 1],
  ],
  gamma: [1, 1, 1],
}

describe('by hand', () => {
  test('Appendix D: the initial prices', () => {
    const { x, prices, converged } = proportionalFairness(appendixD, { maxIterations: 1 })
    expect({ x, prices, converged }).toEqual({ x: [2, 2, 1], prices: [1 / 2, 1 / 2], converged: false })
  })

  test('a slack budget has price 0', () => {
    const slack = {
      constraints: [
        [1, 1, 0],
        [1, 1, 1],
      ],
      gamma: [1, 2, 0.5],
      budgets: [5, 2],
    }
    const { x, prices } = proportionalFairness(slack, { tolerance: 1e-10 })
    close([...x, ...prices], [4 / 7, 8 / 7, 2 / 7, 0, 1.75], 8)
  })

  test('a resource that no class uses is free', () => {
    const { prices, converged } = proportionalFairness({ constraints: [[1], [0]], gamma: [1] })
    expect({ prices, converged }).toEqual({ prices: [1, 0], converged: true })
  })
})

const positive = fc.double({ min: 0.05, max: 1, noNaN: true })
const someProblem = fc
  .record({
    constraints: fc.array(fc.array(fc.constantFrom(0, 1), { minLength: 5, maxLength: 5 }), {
      minLength: 1,
      maxLength: 8,
    }),
    gamma: fc.array(positive, { minLength: 5, maxLength: 5 }),
  })
  .map(({ constraints, gamma }) => ({ constraints: [...constraints, [1, 1, 1, 1, 1]], gamma }))

describe('properties', () => {
  test('solutions are feasible, satisfy complementary slackness, and price a class at gamma / x', () => {
    fc.assert(
      fc.property(someProblem, (problem) => {
        const { x, prices, converged } = proportionalFairness(problem)
        expect(converged).toBe(true)
        problem.constraints.forEach((row, k) => {
          const over = row.reduce((total, value, s) => total + value * x[s]!, 0) - 1
          expect(over).toBeLessThan(1e-3)
          expect(Math.abs(prices[k]! * over)).toBeLessThan(1e-3)
        })
        x.forEach((share, s) => {
          const price = problem.constraints.reduce((total, row, k) => total + row[s]! * prices[k]!, 0)
          expect(price).toBeCloseTo(problem.gamma[s]! / share, 9)
        })
      }),
    )
  })
})
