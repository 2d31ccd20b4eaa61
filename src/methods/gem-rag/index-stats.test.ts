import { describe, expect, test } from 'vitest'
import { clusteredFactors } from '../../test-support/clustered-factors.ts'
import { ModelError } from '../../errors.ts'
import { mulberry32 } from '../../math/random.ts'
import type { SummariseInput, UtilityQuestionsInput } from '../../tasks/pieces.ts'
import { fakeModels, type FakeReply } from '../../testing/fake-models.ts'
import type { Chunk, IndexStats } from '../../types.ts'
import { spectrumNotes } from './drawing.ts'
import { gemIndex, gemRag } from './gem-rag.ts'
import { spectrumOf } from './themes.ts'

const random = mulberry32(11)
const vocabulary = Array.from({ length: 40 }, (_, i) => `w${i}`)
/** Texts of some common words and some of their own. */
const texts = Array.from({ length: 30 }, () =>
  Array.from({ length: 12 }, () => vocabulary[Math.floor(random() ** 2 * 40)] ?? '').join(' '),
)

const chunksOf = (all: readonly string[], documentOf = (_index: number) => 'd'): Chunk[] =>
  all.map((text, i) => ({
    id: `0:${i}`,
    documentId: documentOf(i),
    position: i,
    start: i * 100,
    end: i * 100 + text.length,
    text,
    tokens: 12,
  }))

const models = (replies: Readonly<Record<string, FakeReply>> = {}, dimension = 64) =>
  fakeModels({
    replies: {
      'utility-questions': ({ text, count }: UtilityQuestionsInput) =>
        [...new Set(text.split(' '))].slice(0, count).map((word) => `What is ${word}?`),
      summarise: ({ texts: given }: SummariseInput) =>
        given.map((text) => text.split(' ').slice(0, 3).join(' ')).join(' '),
      ...replies,
    },
    dimension,
  })
const build = (chunks: readonly Chunk[], options: object = {}, using = models()) =>
  gemRag.index(chunks, using, gemRag.options.parse(options))
const statsOf = async (chunks: readonly Chunk[], options: object = {}): Promise<IndexStats> =>
  (await build(chunks, options)).stats?.() ?? {}

describe('the spectrum', () => {
  const remarks = ({ themeEstimate, largestGapIndex, Lambda }: IndexStats) => ({
    themeEstimate,
    largestGapIndex,
    Lambda,
  })

  test('what remarks 2 and 3 say does not depend on how many eigenvectors make themes, nor on whether any do', async () => {
    const whole = remarks(await statsOf(chunksOf(texts), { components: 29 }))
    expect(whole.largestGapIndex).toEqual([expect.any(Number)])
    for (const options of [{ components: 0 }, { components: 1 }, { components: 2 }, { clustering: 'kmeans' }])
      expect(remarks(await statsOf(chunksOf(texts), options))).toEqual(whole)
  })

  test('nor does it in a graph of which only the leading eigenvalues are computed', async () => {
    const many = Array.from({ length: 320 }, (_, i) => `${texts[i % 30] ?? ''} ${i} ${i % 7} ${i % 11}`)
    const [few, more] = [
      await statsOf(chunksOf(many), { components: 1 }),
      await statsOf(chunksOf(many), { components: 9 }),
    ]
    expect(few['solver']).toEqual(['iterative'])
    expect(remarks(few)).toEqual(remarks(more))
  })

  test('several graphs can be told apart; of very many the largest stands for all', async () => {
    const documentOf = (i: number) => `d${Math.floor(Math.sqrt(i))}`
    const several = await statsOf(chunksOf(texts, documentOf), { scope: 'document' })
    expect(several).toMatchObject({ graphs: 6, spectraOf: 'every graph', eigenvaluesPerGraph: [1, 3, 5, 7, 9, 5] })
    expect(several['eigenvalues']).toHaveLength(1 + 3 + 5 + 7 + 9 + 5)
    const many = await statsOf(
      chunksOf(texts, (i) => `d${Math.max(0, i - 9)}`),
      { scope: 'document' },
    )
    expect(many).toMatchObject({ graphs: 21, spectraOf: 'the largest graph', eigenvaluesPerGraph: [10] })
  })
})

describe('a graph that would need too much memory', () => {
  test('where clamping takes too much memory, negative weights are kept, and the index says so', () => {
    const factors = clusteredFactors({ n: 4100, d: 3, common: 1 })
    const options = gemRag.options.parse({ questions: 0 })
    const kept = (memory: number) => {
      const spectrum = spectrumOf(factors, { ...options, memory }, () => 42)
      const lost = { components: 2, unreadSummaries: 0, cutSummaries: 0 }
      const index = gemIndex({ options, chunks: [], memories: [{ nodes: [], spectrum, ...lost }] })
      return { ...index.stats?.(), warnings: index.warnings?.(), notes: spectrumNotes(spectrum, 'it', options) }
    }
    const warning = 'graphs with negative weights kept, because clamping them takes too much memory'
    const few = kept(1200)
    expect(few).toMatchObject({ form: ['unclamped'], negatives: 'keep (fast path)', graphsWithNegativesKept: 1 })
    expect(few.warnings).toMatchObject({ [warning]: 1 })
    expect(few.notes.at(-1)).toMatch(/^Negative weights count in these eigenvalues as they are/)
    const enough = kept(2 ** 30)
    expect(enough).toMatchObject({ form: ['corrected'], warnings: { [warning]: 0 } })
    expect(Object.keys(enough)).not.toContain('negatives')
  })
})

describe('what is otherwise than asked', () => {
  test.each<[object, IndexStats, number]>([
    [{}, { componentsCut: 0, themesWithFewerNodes: 0 }, 0],
    [{ components: 100 }, { componentsCut: 71, themesWithFewerNodes: 0, summaries: 29 }, 71],
    [{ clustering: 'kmeans', components: 100 }, { componentsCut: 71 }, 71],
  ])('%j leaves its trace', async (options, stats, cut) => {
    const index = await build(chunksOf(texts), options)
    expect(index.stats?.()).toMatchObject(stats)
    expect(index.warnings?.()).toMatchObject({ 'themes fewer than asked for': cut })
  })

  test('k-means that finds fewer clusters than asked for', async () => {
    const twoTexts = chunksOf(Array.from({ length: 9 }, (_, i) => texts[i % 2] ?? ''))
    expect(await statsOf(twoTexts, { clustering: 'kmeans', components: 5 })).toMatchObject({
      summaries: 2,
      componentsCut: 3,
    })
  })

  test('questions and summaries that could not be read are counted in words, and the index stands', async () => {
    const unreadable = (): never => {
      throw new ModelError('reply', 'no list')
    }
    let summaries = 0
    const using = models({
      'utility-questions': ({ text, count }: UtilityQuestionsInput) =>
        text === texts[0] ? unreadable() : text === texts[1] ? ['Only one?'] : texts.slice(0, count),
      summarise: () => (summaries++ === 0 ? unreadable() : 'a summary'),
    })
    const index = await build(chunksOf(texts), {}, using)
    expect(index.warnings?.()).toEqual({
      'extractions dropped, because they repeat the example in the prompt': 0,
      'nodes without questions': 1,
      'nodes with fewer questions than the option asks for': 1,
      'summaries that could not be read or were refused': 1,
      'summaries cut at 100 tokens': 0,
      'themes fewer than asked for': 0,
      'graphs whose eigenvectors did not converge': 0,
      'graphs with negative weights kept, because clamping them takes too much memory': 0,
      'nodes without an edge (set scope: corpus, or a smaller chunks.size)': 0,
      'graphs of fewer than 3 nodes (set scope: corpus, or a smaller chunks.size)': 0,
      'summaries of one chunk (set scope: corpus, or a smaller chunks.size)': 0,
    })
    expect(index.stats?.()).toMatchObject({ summaries: 1, summariesUnread: 1 })
    const found = await index.retrieve({ id: 'q', text: 'a summary' }, { passages: 1, tokens: 100 }, models())
    expect(found).toMatchObject([{ kind: 'summary', why: { theme: 2 } }])
  })

  test('summaries longer than 100 tokens are cut and counted, so that four nodes of the target length fit', async () => {
    const using = models({ summarise: () => `A short sentence. Another that is ${'too '.repeat(100)}long.` })
    const index = await build(chunksOf(texts), {}, using)
    const found = await index.retrieve({ id: 'q', text: 'a sentence' }, { passages: 40, tokens: 4000 }, models())
    const summaries = found.filter(({ kind }) => kind === 'summary')
    expect(summaries.map(({ text }) => text)).toEqual(['A short sentence.', 'A short sentence.'])
    expect(index.warnings?.()).toMatchObject({ 'summaries cut at 100 tokens': 2 })
    expect(index.stats?.()).toMatchObject({ summariesCut: 2 })
  })

  test('a summariser that is gone fails the index', async () => {
    const gone = models({
      summarise: () => {
        throw new ModelError('server', 'gone')
      },
    })
    await expect(build(chunksOf(texts), {}, gone)).rejects.toThrow('gone')
  })
})

test('the roles in which questions were embedded are recorded', async () => {
  const { run, embed, countTokens, embedTokens, tokenIds, random: seeded, seed } = models()
  const prefixing = {
    run,
    countTokens,
    embedTokens,
    tokenIds,
    random: seeded,
    seed,
    embed: (given: readonly string[], role = '') => embed(given.map((text) => `${role} ${text}`)),
  }
  const index = await gemRag.index(chunksOf(texts), prefixing, gemRag.options.parse({}))
  expect(index.stats?.()).toMatchObject({ questionsEmbeddedAs: ['query', 'document'] })
  expect(await statsOf(chunksOf(texts))).toMatchObject({ questionsEmbeddedAs: ['query'] })
})
