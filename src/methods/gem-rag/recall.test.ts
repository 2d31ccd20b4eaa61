import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { similarityFactors } from '../../math/spectrum/factors.ts'
import { bestQuestion } from './best-question.ts'
import { edgeWeight } from './edges.ts'
import type { GemNode } from './node.ts'
import { recaller } from './recall.ts'

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
}))
const memory = { nodes, factors: similarityFactors(Array<never[]>(4).fill([]), vectors, 64) }
const options = {
  mode: 'bestFirst',
  questionEmbedding: 'averaged',
  edge: 'symmetric',
  symmetrize: 'mean',
  negatives: 'clamp',
} as const

describe('best-first search by edges', () => {
  test.each([
    // all edges of node 0 weigh 0: the lowest index, and from there no edge either
    [{}, [0, 1, 2, 3]],
    // (1 + c)/2: 0.1 to node 1, 0.2 to nodes 2 and 3, 1 between those
    [{ negatives: 'shift' }, [0, 2, 3, 1]],
    [{ negatives: 'keep' }, [0, 2, 3, 1]],
    // S itself
    [{ edge: 'directed' }, [0, 2, 3, 1]],
  ] as const)('%j', (given, order) => {
    const found = recaller([memory], { ...options, ...given })([1, 0], 4)
    expect(found.map(({ node }) => node)).toEqual(order)
  })

  test('no edge that is followed weighs less than 0 where negatives are clamped', () => {
    const weights = recaller([memory], options)([1, 0], 4).flatMap(({ why }) => why['edgeWeight'] ?? [])
    expect(weights).toEqual([0, 0, 1])
  })
})

/** S = [[., .8], [-.6, .]]. */
const crossed = {
  factors: {
    a: { data: Float64Array.of(0, 1, 1, 0), rows: 2, columns: 2 },
    b: { data: Float64Array.of(-0.6, 0, 0, 0.8), rows: 2, columns: 2 },
    terms: Float64Array.of(1, 3),
  },
}

test.each([
  [{ symmetrize: 'mean' }, 0.1],
  [{ symmetrize: 'sum' }, 0.2],
  [{ symmetrize: 'max' }, 0.8],
  [{ symmetrize: 'min' }, 0],
  [{ symmetrize: 'lower' }, 0],
  [{ symmetrize: 'min', negatives: 'keep' }, -0.6],
  // (1 + .8)/2 = .9 and (3 - .6)/2 = 1.2: every one of a node's cosines c counts as (1 + c)/2
  [{ symmetrize: 'mean', negatives: 'shift' }, 1.05],
  [{ symmetrize: 'lower', negatives: 'shift' }, 1.2],
] as const)('W of .8 above and -.6 below the diagonal, %j, both ways', (given, weight) => {
  expect(edgeWeight(crossed, 0, 1, { ...options, ...given })).toBeCloseTo(weight, 12)
  expect(edgeWeight(crossed, 1, 0, { ...options, ...given })).toBeCloseTo(weight, 12)
})

test('directed edges are S as it is', () => {
  expect(edgeWeight(crossed, 0, 1, { ...options, edge: 'directed' })).toBeCloseTo(0.8, 12)
  expect(edgeWeight(crossed, 1, 0, { ...options, edge: 'directed' })).toBeCloseTo(-0.6, 12)
})

/** Whole numbers, so that many similarities are equal, or zero. */
const someVector = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 3, maxLength: 3 })
const someNode = fc
  .record({ vector: someVector, raws: fc.array(someVector, { maxLength: 3 }) })
  .map(({ vector, raws }): GemNode => ({
    ...{ kind: 'chunk', text: '', from: [], vector },
    questions: raws.map((raw, index) => ({ text: String(index), raw, asDocument: raw })),
  }))

test.each(['averaged', 'raw'] as const)(
  'what is found is what a look at every question finds, to the last digit: %s',
  (form) => {
    const memoriesOf = fc.array(fc.array(someNode, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(memoriesOf, someVector, fc.integer({ min: 0, max: 9 }), (all, prompt, count) => {
        const memories = all.map((own) => ({ nodes: own, factors: memory.factors }))
        const expected = all
          .flatMap((own, m) => own.map((node, n) => ({ memory: m, node: n, ...bestQuestion(node, prompt, form) })))
          .sort((a, b) => b.similarity - a.similarity)
          .slice(0, count)
        const ask = (mode: 'alg1' | 'bestFirstPrompt', most: number) =>
          recaller(memories, { ...options, mode, questionEmbedding: form })(prompt, most)
        const found = ask('alg1', count)
        expect(found.map(({ memory: m, node, score }) => [m, node, score])).toEqual(
          expected.map(({ memory: m, node, similarity }) => [m, node, similarity]),
        )
        expect(found.map(({ why }) => why['question'])).toEqual(expected.map(({ question }) => question?.text))
        // by similarity but for the start, which is the node of the best raw question
        if (form === 'averaged' || count === 0) return
        expect(ask('bestFirstPrompt', count).map(({ node }) => node)).toEqual(found.map(({ node }) => node))
      }),
    )
  },
)
