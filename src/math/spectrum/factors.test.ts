import { describe, expect, test } from 'vitest'
import { selfSimilarity, similarityFactors } from './factors.ts'

const numbers = (values: ArrayLike<number>) => Array.from(values)

describe('the factors of S', () => {
  const nodes = [
    [3, 4],
    [0, 2],
  ]

  test('a row of A sums the unit vectors of the questions, a row of B is a unit vector', () => {
    const questions = [
      [
        [2, 0],
        [0, 5],
      ],
      [[-1, 0]],
    ]
    const { a, b } = similarityFactors(questions, nodes, 64)
    expect(numbers(a.data)).toEqual([1, 1, -1, 0])
    expect(numbers(b.data)).toEqual([0.6, 0.8, 0, 1])
    // S_11 = cos of (1, 0) and of (0, 1) with (.6, .8)
    expect(numbers(selfSimilarity({ a, b }))).toEqual([1.4, 0])
  })

  test('a node without questions is its own question', () => {
    const { a, b } = similarityFactors([[], []], nodes, 64)
    expect(a.data).toEqual(b.data)
  })
})
