import { expect, test } from 'vitest'
import { fuseRankings, type Fusion } from './fuse-passages.ts'

const ranking = (...items: readonly (readonly [text: string, score: number])[]) =>
  items.map(([text, score]) => ({ text, score, from: [], kind: 'chunk' as const }))
const words = ranking(['a', 9], ['b', 6], ['c', 3])
const vectors = ranking(['c', 0.8], ['d', 0.7], ['a', 0.4])
const fused = (options: Partial<Fusion>, rankings = [words, vectors]) => {
  const found = fuseRankings(rankings, { fusion: 'rrf', k: 60, weights: [1, 1], ...options })
  return found.map(({ text, score }) => [text, expect.closeTo(score, 12) as number])
}

test('scores are scaled to 0 to 1 and added, 0 for missing items', () => {
  expect(fused({ fusion: 'score', weights: [1, 2] })).toEqual([
    ['c', 0 + 2],
    ['d', 2 * 0.75],
    ['a', 1 + 0],
    ['b', 0.5],
  ])
})
