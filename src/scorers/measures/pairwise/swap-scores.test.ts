import { expect, test } from 'vitest'
import { swapScores } from '../../pairwise.ts'

test('a judge who always takes the first place gives half to both', () => {
  expect(swapScores([1, 1])).toEqual([
    { first: 'A', a: 1, b: 0 },
    { first: 'B', a: 0, b: 1 },
  ])
})

test('a judge who means B names it wherever it stands; a tie is half each', () => {
  expect(swapScores([2, 1, 0]).map(({ a, b }) => [a, b])).toEqual([
    [0, 1],
    [0, 1],
    [0.5, 0.5],
  ])
})
