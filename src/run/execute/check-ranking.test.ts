import { expect, test } from 'vitest'
import type { Chunk } from '../../types.ts'
import { checkRanking } from './retrieve.ts'
import { locator } from './evidence.ts'

const chunks: readonly Chunk[] = [{ id: 'a', documentId: 'd', position: 0, start: 0, end: 1, text: 'a', tokens: 1 }]
const corpus = { id: 'c', documents: [{ id: 'd', text: 'a' }], questions: [] }
const source = { chunks, locate: locator(corpus, chunks) }
const scored = (...scores: readonly number[]) =>
  scores.map((score) => ({ text: 'a', score, from: ['a'], kind: 'chunk' }))

test('accepts a ranking by score, with ties in any order', () => {
  expect(checkRanking(scored(3, 1, 1, -2), 'm', source)).toHaveLength(4)
  expect(checkRanking([], 'm', source)).toEqual([])
})

test.each([
  [scored(1, 2), 'm returned passages out of order: number 1 has the score 1, number 2 has 2; return them by score'],
  [scored(3, 1, 1, 2), 'number 3 has the score 1, number 4 has 2'],
  [[undefined], 'm returned a passage (number 1) of which it is missing'],
  [undefined, 'm returned no list of passages'],
])('%o is refused', (ranking, message) => {
  expect(() => checkRanking(ranking, 'm', source)).toThrow(message)
})
