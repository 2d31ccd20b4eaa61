import { describe, expect, test } from 'vitest'
import { fakeModels, type FakeModels, type FakeReply } from '../../testing/fake-models.ts'
import type { Chunk, Method, Models, Passage } from '../../types.ts'
import { hipporag } from './hipporag.ts'
import { hipporag2 } from '../hipporag2/hipporag2.ts'
import { vector } from '../vector.ts'
import { testMethod } from '../../testing/index.ts'
import { ask, chunkAt, failing } from '../../test-support/ask-method.ts'
import { fileOf } from '../../test-support/dataset-copies/write-files.ts'

testMethod(hipporag)
testMethod(hipporag, { models: () => findsNothing() })
testMethod(hipporag, { options: { normalise: 'unicode' } })
testMethod(hipporag2)
testMethod(hipporag2, { models: () => findsNothing() })
testMethod(hipporag2, { options: { filter: 'none', normalise: 'unicode' } })
testMethod(hipporag2, { options: { filter: 'none', passageNodeWeight: 0 } })

type Facts = readonly (readonly [string, string, string])[]

const findsNothing = () =>
  fakeModels({
    replies: { 'name-entities': () => ({ named_entities: [] }), 'extract-triples': () => ({ triples: [] }) },
  })

const chunksOf = (texts: readonly string[]): Chunk[] =>
  texts.map((text, i) => chunkAt(i, text, { documentId: `d${i}` }))

/**
 * Models that find the given facts in the texts, keep what is given, and embed as is given; other texts are far from
 * the question.
 */
function known(
  facts: Readonly<Record<string, Facts>>,
  vectors: Readonly<Record<string, readonly number[]>> = {},
  replies: Readonly<Record<string, FakeReply>> = {},
): FakeModels {
  const models = fakeModels({
    replies: {
      'name-entities': () => ({ named_entities: [] }),
      'extract-triples': ({ passage }: { passage: string }) => ({ triples: facts[passage] ?? [] }),
      ...replies,
    },
  })
  const far = Object.values(vectors)[0]?.map((_, axis, { length }) => Number(axis === length - 1)) ?? [1]
  return { ...models, embed: async (texts) => texts.map((text) => Float32Array.from(vectors[text] ?? far)) }
}

const build = (method: Method, texts: readonly string[], models: Models, options: object = {}) =>
  ask(method, chunksOf(texts), { text: 'question', options, models })

/** The passages found; names that are in no text stay. */
const search = async (method: Method, texts: readonly string[], models: Models, options: object = {}) =>
  (await build(method, texts, models, { ...(method !== vector && { ungrounded: 'count' }), ...options })).passages

const scoresOf = (found: readonly Passage[]) => found.map(({ text, score }) => [text, Number(score.toFixed(6))])

// a fact in each of two passages, which share the phrase b; the question is near to the first of both
const facts = { p1: [['a', 'r', 'b']], p2: [['b', 'r2', 'c']] } as const satisfies Readonly<Record<string, Facts>>
const vectors = {
  question: [1, 0, 0],
  "('a', 'r', 'b')": [1, 0, 0],
  p1: [1, 0, 0],
  p3: [0.5, 0.5, 0],
}
const keeping = (...fact: Facts) => ({ 'filter-facts': () => ({ fact }) })
const keepsFirst = keeping(['a', 'r', 'b'])

describe('hipporag2', () => {
  test.each<[string, string[], [string, number][]]>([
    ['reset (1, .5, 0, .05, 0)', ['p1', 'p2'], [['p1', 0.114807], ['p2', 0.041875]]], // prettier-ignore
    ['an isolated third passage', ['p1', 'p2', 'p3'], [['p1', 0.113888], ['p2', 0.04154], ['p3', 0.008]]], // prettier-ignore
  ])('by hand: %s', async (_name, texts, expected) => {
    const found = await search(hipporag2, texts, known(facts, vectors, keepsFirst))
    expect(scoresOf(found)).toEqual(expected)
  })

  test('traces linked and retained facts, phrases and the dense score', async () => {
    const [first, second] = await search(hipporag2, ['p1', 'p2'], known(facts, vectors, keepsFirst))
    expect(first?.why).toMatchObject({
      linkedFacts: ["('a', 'r', 'b')", "('b', 'r2', 'c')"],
      keptFacts: ["('a', 'r', 'b')"],
      phrases: ['a', 'b'],
      phraseWeights: [1, 0.5],
      dense: 1,
      seeds: ['a', 'b'],
    })
    expect(first?.why).not.toHaveProperty('fallback')
    expect(second?.why).toEqual({ dense: 0, seeds: ['b'] })
  })

  test('excludes and counts unreached passages, unless padding is set', async () => {
    // p3 is joined to nothing and least like the question
    const far = { ...vectors, p2: [0.2, 0.2, 0], p3: [0, 0, 1] }
    const find = (options: object) => search(hipporag2, ['p1', 'p2', 'p3'], known(facts, far, keepsFirst), options)
    const found = await find({})
    expect(found.map(({ text }) => text)).toEqual(['p1', 'p2'])
    expect(found[0]?.why).toMatchObject({ unreached: 1 })
    expect((await find({ padding: true })).map(({ text, score }) => [text, score > 0])).toEqual([['p1', true], ['p2', true], ['p3', false]]) // prettier-ignore
  })

  test('merges equal texts into one passage and extracts them once', async () => {
    const models = known(facts, vectors, keepsFirst)
    const found = await search(hipporag2, ['p1', 'p2', 'p1'], models)
    expect(found.map(({ from }) => from)).toEqual([['c0', 'c2'], ['c1']])
    expect(models.calls.filter(({ task }) => task === 'extract-triples')).toHaveLength(2)
  })

  describe('filter', () => {
    test.each([
      ['keeps no fact', () => ({ fact: [] }), 'dense: the filter kept no fact'],
      ['cannot be read', failing('reply'), 'dense: the reply of the filter could not be read'],
      ['is refused', failing('refused'), 'dense: the reply of the filter was refused'],
    ])('%s: dense retrieval, exactly', async (_name, reply, fallback) => {
      const models = known(facts, vectors, { 'filter-facts': reply })
      const texts = ['p2', 'p3', 'p1']
      const [found, dense] = [await search(hipporag2, texts, models), await search(vector, texts, models)]
      expect(found.map(({ text }) => text)).toEqual(dense.map(({ text }) => text))
      expect(found.map(({ score }) => score)).toEqual([1, 0.5, 0])
      expect(found[0]?.why).toMatchObject({ fallback, keptFacts: [], iterations: 0 })
      expect(found[1]?.why).not.toHaveProperty('fallback')
    })

    test('maps an invented fact to the nearest candidate', async () => {
      const reply = keeping(['B', 'R2', 'c and more'], ['a', 'r', 'b'], ['a', 'r', 'b'])
      const [first] = await search(hipporag2, ['p1', 'p2'], known(facts, vectors, reply))
      expect(first?.why).toMatchObject({ keptFacts: ["('b', 'r2', 'c')", "('a', 'r', 'b')", "('a', 'r', 'b')"] })
    })

    test('starts from passages if all retained facts score 0', async () => {
      const reply = keeping(['b', 'r2', 'c'])
      const [first] = await search(hipporag2, ['p1', 'p2'], known(facts, vectors, reply))
      expect(first).toMatchObject({ text: 'p1', why: { phrases: [] } })
      expect(first?.why?.['fallback']).toBe('a walk from passages alone: no phrase of a kept fact has weight')
      // and when those have no weight either, there is nowhere to start
      const [dense] = await search(hipporag2, ['p1', 'p2'], known(facts, vectors, reply), { passageNodeWeight: 0 })
      expect(dense).toMatchObject({ text: 'p1', score: 1 })
      expect(dense?.why?.['fallback']).toBe('dense: the walk has nowhere to start')
    })

    test('requests four facts within filterTokens', async () => {
      const models = known(facts, vectors, keepsFirst)
      await search(hipporag2, ['p1', 'p2'], models, { filterTokens: 99 })
      expect(models.calls.at(-1)?.input).toMatchObject({ most: 4, maxTokens: 99 })
    })

    test('retains all linked facts without a call for filter: none', async () => {
      const models = known(facts, vectors)
      const [first] = await search(hipporag2, ['p1', 'p2'], models, { filter: 'none' })
      expect(first?.why).toMatchObject({ keptFacts: first?.why?.['linkedFacts'] })
      expect(models.calls.map(({ task }) => task)).not.toContain('filter-facts')
    })
  })

  test('falls back to dense retrieval without facts, with a trace', async () => {
    const [first] = await search(hipporag2, ['p1', 'p2'], findsNothing())
    expect(first?.why).toMatchObject({ fallback: 'dense: no fact was found' })
  })

  test('fills the budget, unless qaTopK is lower', async () => {
    const texts = Array.from({ length: 9 }, (_, i) => `text ${i}`)
    expect(await search(hipporag2, texts, findsNothing())).toHaveLength(9)
    expect(await search(hipporag2, texts, findsNothing(), { qaTopK: 5 })).toHaveLength(5)
    expect(await search(hipporag2, texts, findsNothing(), { qaTopK: 20 })).toHaveLength(9)
  })

  test('draws phrases, passages and three kinds of edges', async () => {
    const synonyms = { ...facts, p1: [['mill', 'r', 'mills']] } as const
    const models = known(synonyms, { mill: [1, 0, 0], mills: [0.96, 0.28, 0] })
    const options = { ungrounded: 'count', normalise: 'unicode' }
    const { graph } = await build(hipporag2, ['p1', 'p2', 'p3'], models, options)
    expect(graph?.nodes.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      ...['mill', 'mills', 'b', 'c'].map((text) => `phrase ${text}`),
      ...['p1', 'p2', 'p3'].map((text) => `passage ${text}`),
    ])
    expect(graph?.edges.map(({ from, to, kind }) => [from, to, kind])).toEqual([
      [0, 1, 'relation'],
      [1, 0, 'relation'],
      [2, 3, 'relation'],
      [3, 2, 'relation'],
      [4, 0, 'context'],
      [4, 1, 'context'],
      [5, 2, 'context'],
      [5, 3, 'context'],
    ])
  })
})

describe('hipporag', () => {
  const asks = (...names: string[]) => ({
    'name-entities': () => ({ named_entities: [] }),
    'name-question-entities': () => ({ named_entities: names }),
  })
  const failsOn = (kind: 'reply' | 'refused') => ({ ...asks(), 'name-question-entities': failing(kind) })
  // a fact in p1 and one in p2, which share no phrase
  const apart = { p1: [['ann', 'built', 'mill']], p2: [['bob', 'sold', 'bread']] } as const
  const axis = (one: number) => Array.from({ length: 6 }, (_, i) => Number(i === one))
  const near = { 'ann b': axis(0), ann: axis(0), mill: axis(1), bob: axis(2), bread: axis(3) }

  test('scores passages by the phrases of their facts', async () => {
    const find = (options: object) => search(hipporag, ['p2', 'p3', 'p1'], known(apart, near, asks('Ann B.')), options)
    const found = await find({})
    expect(scoresOf(found)).toEqual([['p1', 1]])
    expect(found[0]?.why).toMatchObject({ unreached: 2 })
    expect(scoresOf(await find({ padding: true }))).toEqual([['p1', 1], ['p2', 0], ['p3', 0]]) // prettier-ignore
    expect(found[0]?.why).toMatchObject({
      entities: ['ann b'],
      phrases: ['ann'],
      similarities: [1],
      walk: 1,
    })
    expect(found[0]?.why).not.toHaveProperty('fallback')
  })

  test('includes the lowest of all reached passages, with score 0', async () => {
    const joined = { ...apart, p2: [['ann', 'sold', 'bread']] } as const
    const found = await search(hipporag, ['p1', 'p2'], known({ ...joined, p1: [...apart.p1, ['ann', 'has', 'mill']] }, near, asks('ann'))) // prettier-ignore
    expect(scoresOf(found)).toEqual([['p1', 1], ['p2', 0]]) // prettier-ignore
    expect(found[0]?.why).not.toHaveProperty('unreached')
  })

  test('weighs a phrase by the inverse of its number of passages', async () => {
    // ann is in p1 and p3, bob in p2 alone
    const shared = { ...apart, p3: [['ann', 'built', 'mill']] } as const
    const [first] = await search(hipporag, ['p1', 'p2', 'p3'], known(shared, near, asks('ann', 'bob')))
    expect(first?.text).toBe('p2')
  })

  test.each([
    ['names nothing', asks(), 'the question names no entity'],
    ['names nothing that is left', asks('灯塔', '…'), 'the question names no entity'],
    ['cannot be read', failsOn('reply'), 'the reply with the entities of the question could not be read'],
    ['is refused', failsOn('refused'), 'the reply with the entities of the question was refused'],
  ])('a question that %s: all passages alike, in order', async (_name, replies, lack) => {
    const found = await search(hipporag, ['p2', 'p1'], known(apart, near, replies))
    expect(scoresOf(found)).toEqual([['p2', 0.5], ['p1', 0.5]]) // prettier-ignore
    expect(found[0]?.why).toMatchObject({ fallback: `all passages alike: ${lack}` })
  })
})

/** The warnings that there were. */
const lostIn = (warnings: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(warnings).filter(([, count]) => count > 0))

/** Replies to the question, which says nothing. */
const lastReplies = {
  'name-question-entities': () => ({ named_entities: [] }),
  'filter-facts': () => ({ fact: [] }),
}

describe.each<Method>([hipporag, hipporag2])('$name', (method) => {
  test('is built from a file without model calls', async () => {
    const docs = Object.entries(facts).map(([passage, extracted_triples]) => ({ passage, extracted_triples }))
    const built = async (models: Models, more: object) => {
      const { graph, stats } = await build(method, ['p1', 'p2'], models, { ungrounded: 'count', ...more })
      return [graph, stats]
    }
    const imported = fakeModels({ replies: lastReplies })
    expect(await built(imported, { openie: fileOf({ docs }) })).toEqual(await built(known(facts, {}, lastReplies), {}))
    expect(imported.calls.filter(({ task }) => !(task in lastReplies))).toEqual([])
  })

  test('drops names in other scripts, or retains them with normalise: unicode', async () => {
    const models = () => known({ p1: [['灯塔', '由', '艾达'], ['Ада', 'хранит', 'маяк']] }, {}, lastReplies) // prettier-ignore
    const built = async (normalise: string) => {
      const { stats, warnings } = await build(method, ['p1'], models(), { ungrounded: 'count', normalise })
      return [stats['phrases'], lostIn(warnings)]
    }
    const lost = { 'triples of which normalise: ascii leaves no phrase': 2, 'passages without a phrase': 1 }
    expect(await built('ascii')).toEqual([0, lost])
    expect(await built('unicode')).toEqual([4, {}])
  })

  test('counts lost items', async () => {
    const triples = [['a', 'r', 'b'], ['a', 'r'], ['a', 'r', '灯塔']] // prettier-ignore
    const openie = fileOf({ docs: [{ passage: 'p1', extracted_triples: triples }] })
    const imported = await build(method, ['p1', 'p2', 'p3'], known({}, {}, lastReplies), { openie })
    expect(lostIn(imported.warnings)).toEqual({
      'indexes or extractions of others, whose calls, tokens and cost are not known': 1,
      'passages that the OpenIE file does not contain': 2,
      'malformed triples': 1,
      'ends of triples of which normalise: ascii leaves nothing': 1,
      'passages without a phrase': 2,
    })
    const extract = ({ passage }: { passage: string }) =>
      passage === 'p1' ? failing('reply')() : { triples: [['a', 'r', 'b']] }
    const models = known({}, {}, { ...lastReplies, 'extract-triples': extract })
    expect(lostIn((await build(method, ['p1', 'p2'], models, { ungrounded: 'count' })).warnings)).toEqual({
      'extraction replies that could not be read or were refused': 1,
      'passages without a phrase': 1,
    })
  })
})
