import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { similarityFactors } from '../../math/spectrum/factors.ts'
import { recaller, edgeWeight } from './recall.ts'
import { bestQuestion } from './similarity-scan.ts'
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

/** Whole numbers, so that many similarities are equal, or zero. */
const someVector = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 3, maxLength: 3 })
const someNode = fc
  .record({ vector: someVector, raws: fc.array(someVector, { maxLength: 3 }) })
  .map(({ vector, raws }): GemNode => ({
    kind: 'chunk',
    text: '',
    from: [],
    echoes: 0,
    vector,
    questions: raws.map((raw, index) => ({ text: String(index), raw, asDocument: raw })),
  }))

test.each(['averaged', 'raw'] as const)('equals an exhaustive comparison to the last digit: %s', (form) => {
  const memoriesOf = fc.array(fc.array(someNode, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(memoriesOf, someVector, fc.integer({ min: 0, max: 9 }), (all, prompt, count) => {
      const memories = all.map((own) => ({ nodes: own, factors: memory.factors }))
      const expected = all
        .flatMap((own, m) => own.map((node, n) => ({ memory: m, node: n, ...bestQuestion(node, prompt, form) })))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, count)
      const ask = (mode: 'algorithm-1' | 'best-first-by-prompt', most: number) =>
        recaller(memories, mode, form)(prompt, most)
      const found = ask('algorithm-1', count)
      expect(found.map(({ memory: m, node, score }) => [m, node, score])).toEqual(
        expected.map(({ memory: m, node, similarity }) => [m, node, similarity]),
      )
      expect(found.map(({ why }) => why['question'])).toEqual(expected.map(({ question }) => question?.text))
      // by similarity but for the start, which is the node of the best raw question
      if (form === 'averaged' || count === 0) return
      expect(ask('best-first-by-prompt', count).map(({ node }) => node)).toEqual(found.map(({ node }) => node))
    }),
  )
})
