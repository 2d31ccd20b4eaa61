import { describe, expect, test } from 'vitest'
import { similarityFactors } from '../../math/spectrum/factors.ts'
import { recaller, edgeWeight } from './recall.ts'
import type { GemNode } from './memory.ts'
/** Nodes without questions: S_ij = cos(v_i, v_j). From node 0 the others lie at -0.8, -0.6 and -0.6. */
const vectors = [
  [1, 0],
  [-0.8, 0.6],
  [-0.6, -0.8],
  [-0.6, -0.8],
]
const nodes = vectors.map((vector, index): GemNode => ({
  kind: 'chunk',
  text: '',
  from: [String(index)],
  vector,
  questions: [],
  echoes: 0,
}))
const factors = similarityFactors(Array<never[]>(4).fill([]), vectors, 64)
const memory = { nodes, factors: () => factors }

describe('best-first search by edges', () => {
  test('starts at the best question and follows the heaviest edges, else the lowest index', () => {
    const found = recaller([memory], 'best-first')([1, 0], 4)
    expect(found.map(({ node }) => node)).toEqual([0, 1, 2, 3])
  })

  test('never follows an edge of negative weight', () => {
    const weights = recaller([memory], 'best-first')([1, 0], 4).flatMap(({ why }) => why['edgeWeight'] ?? [])
    expect(weights).toEqual([0, 0, 1])
  })
})

/** S = [[., .8], [-.6, .]]. */
const crossed = {
  a: { data: Float64Array.of(0, 1, 1, 0), rows: 2, columns: 2 },
  b: { data: Float64Array.of(-0.6, 0, 0, 0.8), rows: 2, columns: 2 },
}

test('averages W above and below the diagonal', () => {
  expect(edgeWeight(crossed, 0, 1)).toBeCloseTo(0.1, 12)
  expect(edgeWeight(crossed, 1, 0)).toBeCloseTo(0.1, 12)
})
