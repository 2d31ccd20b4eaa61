import { afterAll, describe, expect, test } from 'vitest'
import { walk } from '../test-support/walk.ts'
import { fakeModels } from '../testing/fake-models.ts'
import type { MethodCase } from '../testing/method.ts'
import { offlineModels } from '../testing/offline-models.ts'
import { testMethod } from '../testing/suites.ts'
import type { Chunk, Evidence, Method, Passage } from '../types.ts'
import { bm25 } from './bm25.ts'
import { closedBook } from './closed-book.ts'
import { fullContext } from './full-context.ts'
import { methods } from './index.ts'
import { oracle } from './oracle.ts'
import { random } from './random.ts'
import { vector } from './vector.ts'
import { wholeDocuments } from './shared/whole-documents.ts'

const offline = await offlineModels()
afterAll(() => offline.close())

const findsNothing = () =>
  fakeModels({
    replies: {
      'extract-graph': () => ({ entities: [], relationships: [] }),
      'extract-entities': () => [],
      'name-entities': () => ({ named_entities: [] }),
      'extract-triples': () => ({ triples: [] }),
      'list-subjects': () => ({ subjects: [], events: [] }),
      'relate-subjects-both-ways': () => ({ relations: [] }),
      'relate-events': () => ({ events: [] }),
    },
  })

/** Options, and models where they are not the offline ones, with which every method is checked. */
const fixtures: Readonly<Record<string, readonly MethodCase[]>> = {
  'closed-book': [{}],
  oracle: [{}, { options: { documents: true } }],
  'full-context': [{}, { options: { truncate: 40 } }, { options: { window: 60, reserve: 20 } }],
  random: [{}],
  'tf-idf': [{}, { options: { sublinear: true } }],
  bm25: [{}, { options: { k1: 0, b: 1 } }],
  vector: [{}],
  hybrid: [
    {},
    { options: { fusion: 'score', weights: [2, 1], of: [{ use: 'bm25', k1: 0, b: 1 }, 'tf-idf'], depth: 1 } },
    {
      options: { of: ['unweaver', { use: 'raptor', reducer: 'pca' }, 'random'], fusion: 'score', normalise: 'zscore' },
    },
  ],
  'gem-rag': [
    {},
    { options: { mode: 'bestFirst', edge: 'directed', select: 'both-ends', scope: 'corpus' } },
    { options: { mode: 'bestFirstPrompt', questions: 0, clustering: 'kmeans', contextOrder: 'document' } },
  ],
  raptor: [
    { options: { reducer: 'pca' } },
    { options: { splitter: 'run', scope: 'corpus', retrieval: 'traversal', singleRoot: true, chunkTokens: 20 } },
    {
      options: { compat: true, chunkTokens: 15, traversalMode: 'threshold', retrieval: 'traversal', threshold: 0.1 },
    },
  ],
  graphrag: [
    {},
    { models: findsNothing },
    { options: { mode: 'global', chunkTokens: 30, overlap: 10, maxSize: 2, dynamicSelection: true } },
    { options: { mode: 'basic', compat: true, maxGleanings: 0, collapse: 'sum', lcc: false } },
    { options: { mode: 'drift', driftFollowUps: 2, oversize: 'subreports', reportTokens: 60, reportEdges: 'level' } },
    { options: { method: 'fast', minFrequency: 1, minWeightPercentile: 0, communityLevel: null } },
  ],
  unweaver: [
    {},
    { models: findsNothing },
    { options: { voting: 'approval', shortenAboveChars: 30 } },
    { options: { voting: 'pav', dedupVotes: true } },
    { options: { voting: 'chamberlin-courant', k0: 3 } },
    { options: { alignment: 'utility' } },
    { options: { alignment: 'cls', alignmentRank: 'x' } },
  ],
  'unweaver-ppr': [{}, { models: findsNothing }, { options: { seedWeight: 'rank', binaryEdges: true, damping: 0 } }],
  hipporag: [
    {},
    { models: findsNothing },
    { options: { ensemble: true, nodeSpecificity: false, normalize: 'unicode' } },
  ],
  hipporag2: [
    {},
    { models: findsNothing },
    { options: { filter: 'none', normalize: 'unicode', synonymThreshold: 0.3 } },
    { options: { filter: 'none', passageNodeWeight: 0, synonymMode: 'add' } },
  ],
  hlgraphrag: [
    {},
    { models: findsNothing },
    { options: { dw: false, rr: false, nodeMergeCosine: 0.6 } },
    { options: { srq: false, searchTerm2: 'message', nodesPerIdea: 1 } },
    { options: { srq: false, ecr: false, maxIdeas: 1 } },
  ],
  'graph-of-records': [
    {},
    { options: { chunkTokens: 20, overlap: 5, scope: 'corpus', simulatedQueries: 4, maxCalls: 6, responses: false } },
    { options: { simulatedQueries: 3, materials: 2, topK: 1, dropRefusals: true, seed: 7 } },
  ],
  node2vec: [
    { options: { walks: 2 } },
    { options: { p: 0.5, q: 2, walkLength: 5, responses: false, anchors: 2, seed: 1 } },
  ],
  'thought-r': [{}, { options: { mostAlike: 0.2, chunkTokens: 20, overlap: 5, scope: 'corpus' } }],
  command: [{ options: { run: [process.execPath, 'src/test-support/program.js'] } }],
}

walk(await methods.all(), fixtures, 'src/methods/methods.test.ts', (method, fixture) =>
  testMethod(method, { models: offline.models, ...fixture }),
)

/** Chunks given as `document: start text`. */
const chunksOf = (...lines: readonly string[]): Chunk[] =>
  lines.map((line, index) => {
    const [, documentId = '', start = '', text = ''] = /^(\w+): (\d+) (.*)$/.exec(line) ?? []
    const end = Number(start) + text.length
    return { id: `c${index}`, documentId, position: index, start: Number(start), end, text, tokens: 1 }
  })

const wide = { passages: 10, tokens: 1000 }

async function ask(
  method: Method,
  chunks: readonly Chunk[],
  { text = '', options = {}, ...query }: { text?: string; options?: unknown; evidence?: readonly Evidence[] },
): Promise<readonly Passage[]> {
  const index = await method.index(chunks, fakeModels(), method.options.parse(options))
  return index.retrieve({ id: 'q7', text, ...query }, wide, fakeModels())
}

describe('bm25', () => {
  const chunks = chunksOf('d: 0 the cat sat', 'd: 12 the dog sat on the cat', 'd: 35 birds', 'd: 41 the cat sat')
  // n = 4, mean length = 13/4; df of cat = 3, of dog = 1
  const idf = (df: number) => Math.log(1 + (4 - df + 0.5) / (df + 0.5))
  const weight = (tf: number, length: number) => tf / (tf + 0.9 * (1 - 0.4 + (0.4 * length) / 3.25))

  test('scores by hand, ties in order, chunks that share no word left out', async () => {
    const found = await ask(bm25, chunks, { text: 'Dog, cat?' })
    expect(found.map(({ from }) => from)).toEqual([['c1'], ['c0'], ['c3']])
    expect(found[0]?.score).toBeCloseTo(idf(1) * weight(1, 6) + idf(3) * weight(1, 6), 12)
    expect(found[1]?.score).toBeCloseTo(idf(3) * weight(1, 3), 12)
    expect(found[2]?.score).toBe(found[1]?.score)
    expect(found[0]?.why).toEqual({ matched: ['dog', 'cat'] })
  })

  test('a word that stands twice weighs more but not double; one asked twice counts twice', async () => {
    const [best] = await ask(bm25, chunks, { text: 'the' })
    expect(best?.from).toEqual(['c1'])
    expect(best?.score).toBeCloseTo(idf(3) * weight(2, 6), 12)
    const [once] = await ask(bm25, chunks, { text: 'cat' })
    const [twice] = await ask(bm25, chunks, { text: 'cat cat' })
    expect(twice?.score).toBeCloseTo(2 * (once?.score ?? NaN), 12)
  })

  test('nothing shared, nothing found', async () => expect(await ask(bm25, chunks, { text: 'fish' })).toEqual([]))

  test('scripts without spaces are searched sign by sign', async () => {
    const [best] = await ask(bm25, chunksOf('a: 0 猫在睡觉', 'b: 0 灯塔在海边'), { text: '灯塔在哪里？' })
    expect(best).toMatchObject({ from: ['c1'], why: { matched: ['灯', '塔', '在'] } })
  })
})

describe('vector', () => {
  test('embeds chunks as documents, once, and questions as queries', async () => {
    const models = fakeModels()
    const index = await vector.index(chunksOf('a: 0 cats purr', 'a: 10 dogs bark loudly'), models, {})
    const found = await index.retrieve({ id: 'q', text: 'do dogs bark' }, { passages: 1, tokens: 9 }, models)
    expect(found).toMatchObject([{ text: 'dogs bark loudly', from: ['c1'], kind: 'chunk' }])
    expect(found[0]?.why).toEqual({ cosine: found[0]?.score })
    expect(models.embedded).toEqual([
      { texts: ['cats purr', 'dogs bark loudly'], role: 'document' },
      { texts: ['do dogs bark'], role: 'query' },
    ])
  })

  test('equal chunks come in their order', async () => {
    const found = await ask(vector, chunksOf('a: 0 x y', 'b: 0 x', 'c: 0 x'), { text: 'x' })
    expect(found.map(({ from }) => from[0])).toEqual(['c1', 'c2', 'c0'])
  })

  test('nothing is embedded for an empty corpus', async () => {
    const models = fakeModels()
    const index = await vector.index([], models, {})
    expect(await index.retrieve({ id: 'q', text: 'x' }, wide, models)).toEqual([])
    expect(models.embedded).toEqual([])
  })
})

test('random draws other chunks with another seed', async () => {
  const chunks = chunksOf(...Array.from({ length: 30 }, (_, i) => `d: ${i} x`))
  const index = await random.index(chunks, fakeModels(), {})
  const draw = async (seed: number) => {
    const found = await index.retrieve({ id: 'q', text: '' }, { passages: 5, tokens: 9 }, fakeModels({ seed }))
    return found.map(({ from }) => from[0])
  }
  expect(await draw(1)).toHaveLength(5)
  expect(await draw(1)).toEqual(await draw(1))
  expect(await draw(1)).not.toEqual(await draw(2))
})

describe('oracle', () => {
  const chunks = chunksOf('a: 0 one two', 'a: 4 two three', 'a: 14 four', 'b: 0 five')

  test.each<[string, Evidence[], object, [string, string[]][]]>([
    ['quotes', [{ documentId: 'a', text: 'two th' }], {}, [['two th', ['c0', 'c1']]]],
    ['takes a document without a quotation whole', [{ documentId: 'b' }], {}, [['five', ['c3']]]],
    [
      'takes each once',
      [
        { documentId: 'a', text: 'four' },
        { documentId: 'a', text: 'four' },
      ],
      {},
      [['four', ['c2']]],
    ],
    ['keeps words that stand nowhere', [{ documentId: 'a', text: '2' }], {}, [['2', []]]],
    [
      'gives whole documents when asked to',
      [
        { documentId: 'b', text: 'five' },
        { documentId: 'a', text: 'one' },
        { documentId: 'a', text: 'four' },
      ],
      { documents: true },
      [
        ['five', ['c3']],
        ['one two three four', ['c0', 'c1', 'c2']],
      ],
    ],
    ['gives nothing where nothing supports an answer', [], {}, []],
  ])('%s', async (_name, evidence, options, expected) => {
    const found = await ask(oracle, chunks, { evidence, options })
    expect(found.map(({ text, from }) => [text, from])).toEqual(expected)
  })

  test('needs evidence', async () => {
    await expect(ask(oracle, chunks, {})).rejects.toThrow('question q7 has no evidence')
    await expect(ask(oracle, chunks, { evidence: [{ documentId: 'zz' }] })).rejects.toThrow('question q7')
  })
})

describe('full-context', () => {
  const chunks = chunksOf('a: 0 one two', 'a: 4 two three', 'b: 0 four five six')

  test('gives whole documents without repeating overlaps', async () => {
    expect(await ask(fullContext, chunks, {})).toEqual([
      {
        ...{ text: 'one two three', score: 1, from: ['c0', 'c1'], kind: 'chunk' },
        spans: [{ documentId: 'a', start: 0, end: 13 }],
      },
      {
        ...{ text: 'four five six', score: 1, from: ['c2'], kind: 'chunk' },
        spans: [{ documentId: 'b', start: 0, end: 13 }],
      },
    ])
  })

  test.each<[number, string[], number]>([
    [6, ['one two three', 'four five six'], 0],
    [5, ['one two three', 'four five'], 1],
    [3, ['one two three'], 3],
    [1, ['one'], 5],
  ])('is cut after %i tokens', async (truncate, texts, leftOut) => {
    const found = await ask(fullContext, chunks, { options: { truncate } })
    expect(found.map(({ text }) => text)).toEqual(texts)
    // a chunk that was cut off altogether is not claimed
    expect(found[0]?.from).toEqual(truncate > 1 ? ['c0', 'c1'] : ['c0'])
    expect(found.at(-1)?.why).toEqual(leftOut > 0 ? { tokensLeftOut: leftOut, tokens: 6 } : undefined)
  })
})

describe('full-context of a window', () => {
  const chunks = chunksOf('a: 0 one two', 'a: 4 two three', 'b: 0 four five six')
  const indexOf = (given: object) =>
    Promise.resolve(fullContext.index(chunks, fakeModels(), fullContext.options.parse(given)))

  test('keeps room for prompt and reply, and counts what is not shown', async () => {
    const cut = await indexOf({ window: 25, reserve: 20 })
    const passages = await cut.retrieve({ id: 'q', text: 'Why?' }, { passages: 9, tokens: 9 }, fakeModels())
    expect(passages.map(({ text }) => text)).toEqual(['one two three', 'four five'])
    expect(passages.at(-1)?.why).toEqual({ tokensLeftOut: 1, tokens: 6 })
    expect(cut.stats?.()).toEqual({ documents: 2, tokens: 6, tokensLeftOut: 1 })
    expect(cut.warnings?.()).toEqual({
      'tokens of documents that are not shown': 1,
      'documents that are not shown to their end': 1,
    })
    expect((await indexOf({ window: 8192 })).warnings?.()).toEqual({
      'tokens of documents that are not shown': 0,
      'documents that are not shown to their end': 0,
    })
    expect((await indexOf({})).warnings).toBeUndefined()
  })

  test('the smaller limit holds, and a window without room for documents is refused', async () => {
    expect((await indexOf({ window: 8192, truncate: 1 })).stats?.()).toMatchObject({ tokensLeftOut: 5 })
    expect(fullContext.options.safeParse({ window: 1536 }).error?.issues[0]).toMatchObject({
      path: ['window'],
      message: 'must be larger than reserve, or nothing of the documents is shown',
    })
  })
})

test('closed-book finds nothing', async () => expect(await ask(closedBook, chunksOf('a: 0 x'), {})).toEqual([]))

test('a document is joined from chunks in any order, with gaps and chunks inside others', () => {
  const chunks = chunksOf('a: 12 end', 'b: 0 other', 'a: 0 abcdef', 'a: 2 cd', 'a: 4 efgh')
  expect(wholeDocuments(chunks).map(({ id, text }) => [id, text])).toEqual([
    ['a', 'abcdefgh    end'],
    ['b', 'other'],
  ])
})
