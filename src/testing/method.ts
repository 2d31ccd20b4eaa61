import { describe, expect, test } from 'vitest'
import { chunk } from '../chunking/index.ts'
import { checkRanking } from '../run/check-ranking.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Budget, Chunk, Document, Index, Method, Models, Passage, Query } from '../types.ts'
import { fakeModels } from './fake-models.ts'

export interface MethodCase {
  readonly options?: unknown
  /** New models for every index and every retrieval, alike each time; a method that runs tasks needs `fakeModels({ replies })`. */
  readonly models?: () => Models
}

/** What every method promises, as a suite of tests: call it at the top of a test file. */
export function testMethod(method: Method, { options: given = {}, models = fakeModels }: MethodCase = {}): void {
  const options = method.options.parse(given)
  const build = (chunks: readonly Chunk[]): Promise<Index> => method.index(chunks, models(), options)
  const seen = (query: Query, chunks: readonly Chunk[]): Query =>
    method.sees === 'evidence' ? { ...query, evidence: evidenceIn(chunks) } : query

  describe(`method ${method.name}`, () => {
    test('has a name, a summary and options with defaults', () => {
      expect(method.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(method.summary).toMatch(/^[A-Z].*\.$/)
      expect(method.options.safeParse({}).success).toBe(true)
      expect(method.options.safeParse({ 'no such option': 1 }).success).toBe(false)
    })

    describe.each(Object.entries(corpora))('on %s', (_name, documents) => {
      const chunks = chunksOf(documents)

      test('every question gets a ranking within the budget', async () => {
        const index = await build(chunks)
        for (const budget of budgets)
          for (const query of queries) {
            const passages = await index.retrieve(seen(query, chunks), budget, models())
            expectRanking(passages, method, chunks, budget)
          }
      })

      test('the same is found again, and by questions asked at once', async () => {
        const ask = (index: Index, query: Query) => index.retrieve(seen(query, chunks), wide, models())
        const [first, second] = [await build(chunks), await build(chunks)]
        const oneByOne: (readonly Passage[])[] = []
        for (const query of queries) oneByOne.push(await ask(first, query))
        expect(await Promise.all(queries.map((query) => ask(first, query)))).toEqual(oneByOne)
        expect(await Promise.all(queries.toReversed().map((query) => ask(second, query)))).toEqual(
          oneByOne.toReversed(),
        )
      })

      test('what is given stays as it was', async () => {
        const index = await method.index(frozen(structuredClone(chunks)), models(), frozen(structuredClone(options)))
        for (const query of queries) await index.retrieve(frozen(structuredClone(seen(query, chunks))), wide, models())
      })

      test('chunks in another order do no harm', async () => {
        const turned = chunks.toReversed()
        const index = await build(turned)
        for (const query of queries)
          expectRanking(await index.retrieve(seen(query, turned), wide, models()), method, turned, wide)
      })

      test('its graph and facts can be written down', async () => {
        const { graph, stats } = await build(chunks)
        const drawn = graph?.()
        for (const { from, to, weight } of drawn?.edges ?? []) {
          expect(drawn?.nodes[from]).toBeDefined()
          expect(drawn?.nodes[to]).toBeDefined()
          expect(weight).toSatisfy(Number.isFinite)
        }
        const facts = stats?.() ?? {}
        expect(JSON.parse(JSON.stringify(facts))).toEqual(facts)
      })
    })
  })
}

function expectRanking(passages: readonly Passage[], method: Method, chunks: readonly Chunk[], budget: Budget): void {
  checkRanking(passages, method.name, chunks)
  const most = method.context === 'none' ? 0 : method.context === 'unlimited' ? Infinity : budget.passages
  expect(passages.length).toBeLessThanOrEqual(most)
  const scores = passages.map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(JSON.parse(JSON.stringify(passages))).toEqual(passages)
}

const wide: Budget = { passages: 20, tokens: 4000 }
const budgets: readonly Budget[] = [{ passages: 1, tokens: 50 }, { passages: 3, tokens: 400 }, wide]

const paragraph =
  'Ada Vale kept the lighthouse at Orrin. Her brother Edric Sloe rang the bell when the lamp broke in 1903. ' +
  'In Harrowgate, Maud Sloe baked rye bread and wrote letters to Ada Vale.'

const corpora: Readonly<Record<string, readonly Document[]>> = {
  'no chunk': [],
  'one chunk': [{ id: 'one', text: 'Ada Vale kept the lighthouse.' }],
  'two chunks': [
    { id: 'a', text: 'Ada Vale kept the lighthouse.' },
    { id: 'b', text: 'Edric Sloe rang the bell.' },
  ],
  'equal chunks': Array.from({ length: 5 }, (_, i) => ({ id: `copy ${i}`, text: 'Ada Vale kept the lighthouse.' })),
  'chunks without words': [
    { id: 'signs', text: '… — !!! ### ' },
    { id: 'dot', text: '.' },
  ],
  'other scripts': [
    { id: 'zh', text: '灯塔由艾达看守。她的弟弟敲钟。面包店在哈罗盖特。' },
    { id: 'ar', text: 'كانت آدا تحرس المنارة. وكان أخوها يدق الجرس.' },
    { id: 'hi', text: 'आदा ने प्रकाशस्तंभ की रखवाली की। 🏳️‍🌈👩‍👩‍👧' },
  ],
  'many chunks': Array.from({ length: 6 }, (_, i) => ({
    id: `part ${i}`,
    text: `${paragraph} Chapter ${i}.\n\n`.repeat(3),
  })),
}

const chunksOf = (documents: readonly Document[]): Chunk[] =>
  documents.flatMap((document, index) =>
    chunk(document, index, { size: 30, overlap: 5, by: 'tokens' }, tokenizer('o200k_base')),
  )

const queries: readonly Query[] = [
  { id: 'plain', text: 'Who kept the lighthouse at Orrin?' },
  { id: 'two hops', text: 'Where did the brother of Ada Vale ring the bell?', options: ['Orrin', 'Lisk'] },
  { id: 'history', text: 'And then?', history: [{ speaker: 'Ada', text: 'The lamp broke.' }] },
  { id: 'stranger', text: 'zyx wvu' },
  { id: 'empty', text: '' },
  { id: 'other script', text: '谁看守灯塔？' },
  { id: 'long', text: 'lighthouse '.repeat(500) },
]

/** A quotation, one that is found nowhere, and a whole document. */
const evidenceIn = ([first]: readonly Chunk[]): NonNullable<Query['evidence']> =>
  first
    ? [
        { documentId: first.documentId, text: first.text.slice(0, 10) },
        { documentId: first.documentId, text: 'words that stand nowhere' },
        { documentId: first.documentId },
      ]
    : []

function frozen<T>(value: T): T {
  if (value !== null && typeof value === 'object') Object.values(Object.freeze(value)).forEach(frozen)
  return value
}
