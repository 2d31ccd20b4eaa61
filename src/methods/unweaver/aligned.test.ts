import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { constrainedLeastSquares } from '../../math/allocation.ts'
import { align, type AlignedClass } from './unweaver.ts'

const one = (similarity: number, chunks: readonly number[], ...vector: number[]): AlignedClass => ({
  similarity,
  chunks,
  vector: Float32Array.from(vector),
})

describe('the numeric example of Appendix D', () => {
  // chunk 1 holds classes 1 and 3, chunk 2 classes 2 and 3
  const classes = [one(1, [1], 1, 0), one(1, [2], 0, 1), one(1, [1, 2], 0.5, 0.5)]
  const query = Float32Array.of(1, 1)

  test('utility: gives x = (2/3, 2/3, 1/3) in two steps, and chunks 1 and 2 from the best two classes', () => {
    const ranking = align(classes, query, 'utility', 2)?.ranking
    expect(ranking?.map(({ chunk }) => chunk)).toEqual([1, 2])
    for (const { score, why } of ranking ?? []) {
      expect(score).toBeCloseTo(2 / 3, 12)
      expect(why).toEqual({ iterations: 2, converged: true, classesLeftOut: 0 })
    }
    // with the third class each chunk is worth all that it gives
    for (const { score } of align(classes, query, 'utility', 3)?.ranking ?? []) expect(score).toBeCloseTo(1, 12)
  })

  test('constrained least squares: gives x = (1, 1, 0) without residual', () => {
    const ranking = align(classes, query, 'cls', 3)?.ranking
    expect(ranking?.map(({ chunk }) => chunk).toSorted()).toEqual([1, 2])
    for (const { score, why } of ranking ?? []) {
      expect(score).toBeCloseTo(1, 9)
      expect(why).toMatchObject({ singular: false, residual: expect.closeTo(0, 9) })
    }
  })
})

test('leaves out classes far from the question and classes without a chunk', () => {
  const ranking = align(
    [one(0.5, [3], 1), one(0, [4], 1), one(-0.2, [3], 1), one(0.9, [], 1)],
    Float32Array.of(1),
    'utility',
    2,
  )
  expect(ranking).toEqual({
    ranking: [{ chunk: 3, score: 1, by: [0], why: { iterations: 2, converged: true, classesLeftOut: 3 } }],
  })
})

test('reports a singular system if chunks contradict each other', () => {
  const classes = [one(1, [0, 2], 1, 0), one(1, [1, 2], 0, 1)]
  const ranking = align(classes, Float32Array.of(1, 1), 'cls', 2)?.ranking
  expect(ranking?.[0]?.why).toMatchObject({ singular: true })
  for (const { score } of ranking ?? []) expect(score).toSatisfy(Number.isFinite)
})

test('counts every chunk of equal classes, though they are one equation', () => {
  const ballots = fc.array(fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(ballots, (lists) => {
      const classes = lists.map((chunks, i) => one(0.5, chunks, Number(i % 2 === 0), i / 4))
      const chunks = [...new Set(lists.flat())]
      const { x } = constrainedLeastSquares({
        vectors: [0, 1].map((axis) => classes.map(({ vector }) => vector[axis] ?? 0)),
        target: [1, 1],
        constraints: chunks.map((chunk) => lists.map((list) => Number(list.includes(chunk)))),
        budgets: chunks.map(() => 1),
      })
      const aligned = align(classes, Float32Array.of(1, 1), 'cls', 9)
      for (const { chunk, score } of aligned?.ranking ?? [])
        expect(score).toBeCloseTo(
          x.reduce((sum, share, i) => sum + (lists[i]?.includes(chunk) ? share : 0), 0),
          6,
        )
    }),
  )
})

// chunk 0 holds both classes, chunk 1 the second
const classes = [one(0.9, [0], 1, 0), one(0.3, [0, 1], 0, 1)]
const query = Float32Array.of(0.9, 0.3)
test('traces that no shares satisfy every chunk', () => {
  // x1 = 1, x2 = 1 and x1 + x2 = 1
  const contrary = [one(0.9, [0, 2], 1, 0), one(0.3, [1, 2], 0, 1)]
  const aligned = (given: readonly AlignedClass[]) => align(given, query, 'cls', 2)
  expect(aligned(contrary)?.fallback).toBe('no shares satisfy every chunk: those nearest to it')
  expect(aligned(contrary)?.ranking).toHaveLength(3)
  expect(aligned(classes)).not.toHaveProperty('fallback')
})
