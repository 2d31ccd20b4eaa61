import { expect, test } from 'vitest'
import type { Criterion } from '../../../tasks/verdicts.ts'
import { preference } from './preference.ts'

const [short, long] = ['Tamsin built it.', 'Tamsin Vale built it, and the weir too.']
const winner = (criterion: Criterion, first: string, second: string): unknown =>
  (JSON.parse(preference({ question: 'Who built it?', criterion, first, second })) as { winner: unknown }).winner

test.each<[Criterion, unknown, unknown]>([
  ['comprehensiveness', 2, 1],
  ['diversity', 2, 1],
  ['empowerment', 0, 0],
  ['directness', 1, 2],
])('%s prefers an answer, not a place', (criterion, inOrder, swapped) => {
  expect([winner(criterion, short, long), winner(criterion, long, short)]).toEqual([inOrder, swapped])
})
