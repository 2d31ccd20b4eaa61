import { expect, test } from 'vitest'
import type { Comparison } from '../tasks/verdicts.ts'
import { agreedOutcome } from './pairwise.ts'

type Winner = Comparison['winner']

test.each<[Winner, Winner, number, boolean]>([
  [1, 2, 1, false],
  [2, 1, 0, false],
  [1, 1, 0.5, true],
  [2, 2, 0.5, true],
  [0, 0, 0.5, false],
  [1, 0, 0.5, false],
  [0, 2, 0.5, false],
  [2, 0, 0.5, false],
  [0, 1, 0.5, false],
])('shown first %i, shown second %i', (first, second, score, flip) => {
  expect(agreedOutcome(first, second)).toEqual({ score, flip })
})
