import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { summarise, utilityQuestions } from '../../tasks/pieces.ts'
import { fakeModels, type FakeModels } from '../../testing/fake-models.ts'
import type { Chunk, Passage, Query } from '../../types.ts'
import { gemRag } from './gem-rag.ts'
import { testMethod } from '../../testing/index.ts'
import { chunkAt } from '../../test-support/ask-method.ts'

type SummariseInput = Parameters<typeof summarise.prompt>[0]
type UtilityQuestionsInput = Parameters<typeof utilityQuestions.prompt>[0]

testMethod(gemRag)
testMethod(gemRag, { options: { mode: 'best-first', scope: 'corpus' } })
testMethod(gemRag, {
  options: { mode: 'best-first-by-prompt', questions: 0, clustering: 'kmeans' },
})

const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []

/** Asks what each word is, and summarises by the first words of every text. */
const models = (replies: Parameters<typeof fakeModels>[0] = {}): FakeModels =>
  fakeModels({
    replies: {
      'utility-questions': ({ text, count }: UtilityQuestionsInput) =>
        [...new Set(words(text))].slice(0, count).map((word) => `What is ${word}?`),
      summarise: ({ texts }: SummariseInput) =>
        `Summary: ${texts.map((text) => words(text).slice(0, 3).join(' ')).join('; ')}.`,
      ...replies.replies,
    },
  })

const texts = [
  'the mill stands by the river and grinds oats',
  'the river feeds the mill and the weir',
  'the bakery in town sells rye bread',
  'rye bread is baked in the town oven',
  'the museum keeps the old oven',
  'a storm broke the weir of the mill',
]
const chunksOf = (all: readonly string[]): Chunk[] => all.map((text, i) => chunkAt(i, text, { id: `0:${i}` }))
const ask = (text: string): Query => ({ id: 'q', text })
const wide = { passages: 50, tokens: 10_000 }

const indexed = (chunks: readonly Chunk[], options = {}, using = models()) =>
  gemRag.index(chunks, using, gemRag.options.parse(options))
const build = (all: readonly string[], options = {}, using = models()) => indexed(chunksOf(all), options, using)
const retrieve = async (all: readonly string[], options = {}): Promise<readonly Passage[]> =>
  (await build(all, options)).retrieve(ask('Where is rye bread baked?'), wide, models())
/** Two documents. */
const two = chunksOf(texts).map((chunk, i) => ({ ...chunk, documentId: i < 3 ? 'a' : 'b' }))
const textsOf = (passages: readonly Passage[]): string[] => passages.map((passage) => passage.text)

test.each([
  [{}, 6 + 2 + 2],
  [{ components: 4 }, 6 + 4 + 4],
  [{ components: 0 }, 6],
  [{ questions: 0 }, 2],
  [{ questions: 0, components: 0 }, 0],
])('%j: makes one call per chunk and two per summary, without question calls for m = 0', async (options, calls) => {
  const using = models()
  await build(texts, options, using)
  expect(using.calls).toHaveLength(calls)
})

describe('retrieval', () => {
  test('the trace has the matching question, and the theme of a summary', async () => {
    const passages = await retrieve(texts)
    expect(passages[0]).toMatchObject({
      kind: 'chunk',
      why: { question: expect.stringContaining('What is'), similarity: expect.any(Number) },
    })
    const summary = passages.find(({ kind }) => kind === 'summary')
    expect(summary?.why).toMatchObject({
      theme: expect.any(Number),
      eigenvalue: expect.any(Number),
      members: expect.any(Array),
    })
    expect(summary?.from.length).toBe(5)
  })

  test('returns every node at most once, and no summary for k = 0', async () => {
    expect((await retrieve(texts, { components: 0 })).every(({ kind }) => kind === 'chunk')).toBe(true)
    for (const mode of ['algorithm-1', 'best-first', 'best-first-by-prompt']) {
      const found = textsOf(await retrieve(texts, { mode }))
      expect(new Set(found).size).toBe(found.length)
      expect(found).toHaveLength(8)
    }
  })

  test('best-first by prompt equals Algorithm 1 after the first node', async () => {
    const averaged = textsOf(await retrieve(texts, { mode: 'best-first-by-prompt' }))
    const algorithm = textsOf(await retrieve(texts, { mode: 'algorithm-1' }))
    expect(averaged.slice(1)).toEqual(algorithm.filter((text) => text !== averaged[0]))
  })

  test('best-first follows edges within a document and traces them', async () => {
    const index = await indexed(two, { mode: 'best-first' })
    const found = await index.retrieve(ask('Where is rye bread baked?'), wide, models())
    const drawn = index.graph?.().nodes ?? []
    const named = ({ kind, from, why }: Passage) => (kind === 'chunk' ? from[0] : `theme ${String(why?.['theme'])}`)
    const followed = found.filter(({ why }) => why && 'edgeFrom' in why)
    expect(followed.length).toBeGreaterThanOrEqual(found.length - 2)
    for (const passage of followed) {
      const { edgeFrom, edgeFromRank, edgeWeight } = passage.why ?? {}
      expect(edgeWeight).toBeGreaterThan(0)
      const source = found[Number(edgeFromRank) - 1]
      expect(source && named(source)).toBe(edgeFrom)
      expect(found.indexOf(passage)).toBeGreaterThanOrEqual(Number(edgeFromRank))
      expect(drawn.some(({ id }) => id.startsWith(String(edgeFrom)))).toBe(true)
    }
  })

  test.each([{}, { mode: 'best-first' }, { components: 0 }])(
    '%j: permuting chunks permutes themes and rankings alike',
    async (options) => {
      // a summary that does not depend on the order of its texts
      const summarise = ({ texts: given }: SummariseInput) => given.toSorted().join(' ')
      const found = async (all: readonly string[]) => {
        const using = models({ replies: { summarise } })
        const index = await build(all, { components: 3, ...options }, using)
        return (await index.retrieve(ask('What is a storm?'), wide, using)).map(({ from, why, ...passage }) => ({
          text: passage.text,
          chunks: from.map((id) => all[Number(id.slice(2))]),
          theme: why?.['theme'],
          eigenvalue: typeof why?.['eigenvalue'] === 'number' ? why['eigenvalue'].toFixed(9) : undefined,
        }))
      }
      const expected = await found(texts)
      await fc.assert(
        fc.asyncProperty(fc.shuffledSubarray(texts, { minLength: texts.length }), async (shuffled) => {
          expect(await found(shuffled)).toEqual(expected)
        }),
        { numRuns: 20 },
      )
    },
  )

  test('builds one graph per document, or one for all', async () => {
    const graphs = async (scope: string) => (await indexed(two, { scope })).stats?.()
    expect(await graphs('document')).toMatchObject({ graphs: 2, chunks: 6, summaries: 4 })
    expect(await graphs('corpus')).toMatchObject({ graphs: 1, chunks: 6, summaries: 2 })
  })
})

describe('edge cases', () => {
  test('builds no theme from one chunk, and one theme from two', async () => {
    expect((await retrieve(texts.slice(0, 1))).map(({ kind }) => kind)).toEqual(['chunk'])
    const ofTwo = await build(texts.slice(0, 2))
    expect(ofTwo.stats?.()).toMatchObject({ summaries: 1 })
    const summary = (await ofTwo.retrieve(ask('mill'), wide, models())).find(({ kind }) => kind === 'summary')
    expect(summary?.from).toEqual(['0:0', '0:1'])
  })

  test('accepts and counts fewer, repeated and no questions', async () => {
    const buildWith = (questions: readonly string[], options: object = {}) =>
      build(texts, { components: 0, ...options }, models({ replies: { 'utility-questions': () => questions } }))
    const repeated = await buildWith(['Same?', 'Same?', ' Same? ', 'Other?'])
    expect(repeated.stats?.()).toMatchObject({ questions: 12 })
    expect(repeated.warnings?.()).toMatchObject({ 'nodes with fewer questions than the option asks for': 6 })
    const none = await buildWith([])
    expect(none.stats?.()).toMatchObject({ questions: 0 })
    expect(none.warnings?.()).toMatchObject({ 'nodes without questions': 6 })
    expect(await none.retrieve(ask('rye bread'), wide, models())).toHaveLength(6)
    expect((await buildWith(['a?', 'b?', 'c?'], { questions: 2 })).stats?.()).toMatchObject({ questions: 12 })
  })
})

test.each([
  [{}, []],
  [{ clustering: 'kmeans' }, [42]],
  [{ clustering: 'kmeans', components: 0 }, []],
])('%j: requests a seed only for steps that use randomness', async (options, expected) => {
  const asked = new Set<number>()
  const seeding = { ...models(), seed: (usual: number) => (asked.add(usual), usual) }
  await build(texts, options, seeding)
  expect([...asked]).toEqual(expected)
})

test('shares one question pool among variants, unless they are separate', () => {
  const shared = (...given: readonly object[]) => gemRag.shares?.(given.map((one) => gemRag.options.parse(one)))
  expect(shared({ questions: 0 }, { questions: 8 }, { questions: 3 })).toEqual({ questionPool: 8 })
  expect(shared({ questions: 5, components: 0 }, { questions: 5 })).toEqual({})
  expect(shared({ questions: 1, questionPool: 'separate' }, { questions: 2, questionPool: 'separate' })).toEqual({})
})
