import fc from 'fast-check'
import { expect, test } from 'vitest'
import { highest } from './highest.ts'
import { cosine, dot, normalise, rowsToMatrix, products, topK } from './vectors.ts'

const f32 = (...values: number[]) => Float32Array.from(values)

test.each([
  [f32(1, 2, 3), f32(4, -5, 6), 12],
  [f32(1, 2, 3, 4, 5), f32(1, 1, 1, 1, 1), 15],
  [f32(), f32(), 0],
])('the inner product of %j and %j is %d', (a, b, expected) => expect(dot(a, b)).toBe(expected))

test('inner products are summed in float64', () => {
  // 2^24 + 1 is no float32
  expect(dot(f32(4096, 1), f32(4096, 1))).toBe(2 ** 24 + 1)
})

test.each([
  [f32(3, 4), f32(30, 40), 1],
  [f32(1, 0), f32(0, 2), 0],
  [f32(1, 1), f32(-1, -1), -1],
  [f32(0, 0), f32(1, 2), 0],
])('the cosine of %j and %j is %d', (a, b, expected) => expect(cosine(a, b)).toBeCloseTo(expected, 12))

test('normalise', () => {
  const vector = f32(3, 4)
  expect(normalise(vector)).toEqual(f32(0.6, 0.8))
  expect(vector).toEqual(f32(3, 4))
  expect(normalise(f32(0, 0))).toEqual(f32(0, 0))
})

test('topK by hand', () => {
  const rows = [f32(0, 1), f32(1, 0), f32(0.6, 0.8), f32(1, 0), f32(-1, 0)]
  const expected = [
    { index: 1, score: 1 },
    { index: 3, score: 1 },
    { index: 2, score: Math.fround(0.6) },
  ]
  expect(topK(f32(1, 0), rows, 3)).toEqual(expected)
  expect(topK(f32(1, 0), rowsToMatrix(rows), 3)).toEqual(expected)
  expect([...products(f32(1, 0), rowsToMatrix(rows))]).toEqual([0, 1, Math.fround(0.6), 1, -1])
  expect(topK(f32(1, 0), rows, 99).map(({ index }) => index)).toEqual([1, 3, 2, 0, 4])
  expect(topK(f32(1, 0), rows, 0)).toEqual([])
  expect(topK(f32(1, 0), [], 3)).toEqual([])
  expect(topK(f32(1, 0), rowsToMatrix([]), 3)).toEqual([])
})

test('highest agrees with a full sort, ties by lower index', () => {
  const few = fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 60 })
  fc.assert(
    fc.property(few, fc.nat(70), (scores, k) => {
      const sorted = scores
        .map((score, index) => ({ index, score }))
        .sort((a, b) => b.score - a.score || a.index - b.index)
      expect(highest(scores, k)).toEqual(sorted.slice(0, k))
    }),
  )
})
