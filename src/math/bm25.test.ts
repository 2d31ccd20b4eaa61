import { expect, test } from 'vitest'
import { bm25Index } from './bm25.ts'

const bags = ['the cat sat', 'the dog sat on the cat', 'birds', 'the cat sat'].map((text) => text.split(' '))

test('scores by hand, ties in order, texts that share no word left out', () => {
  const index = bm25Index(bags, { k1: 1.2, b: 0.75 })
  const idf = (df: number) => Math.log(1 + (4 - df + 0.5) / (df + 0.5))
  const weight = (tf: number, length: number) => tf / (tf + 1.2 * (0.25 + (0.75 * length) / 3.25))
  const found = index.search(['dog', 'cat'], 9)
  expect(found.map(({ index: row }) => row)).toEqual([1, 0, 3])
  expect(found[0]?.score).toBeCloseTo((idf(1) + idf(3)) * weight(1, 6), 12)
  expect(found[1]?.score).toBeCloseTo(idf(3) * weight(1, 3), 12)
  expect(index.search(['dog', 'cat'], 1)).toEqual(found.slice(0, 1))
  expect(index).toMatchObject({ words: 6, meanLength: 3.25 })
})

test('no text, no word, nothing found', () => {
  expect(bm25Index([]).search(['cat'], 3)).toEqual([])
  expect(bm25Index([[]]).search(['cat'], 3)).toEqual([])
  expect(bm25Index(bags).search([], 3)).toEqual([])
})

test.each([
  [{ k1: -1 }, 'k1 is -1'],
  [{ k1: Infinity }, 'k1 is Infinity'],
  [{ b: 1.5 }, 'b is 1.5'],
  [{ b: NaN }, 'b is NaN'],
])('%j is refused', (options, message) => expect(() => bm25Index(bags, options)).toThrow(message))
