import { describe, expect, test } from 'vitest'
import { UserError } from '../../errors.ts'
import { sha256 } from '../../text/hash.ts'
import type { SummariseInput, UtilityQuestionsInput } from '../../tasks/pieces.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import type { Chunk, Index, Models } from '../../types.ts'
import { gemRag } from './gem-rag.ts'
import type { SavedGem } from './saved.ts'
import { packed32, packed64 } from '../shared/packed-numbers.ts'

const models = (): Models =>
  fakeModels({
    replies: {
      'utility-questions': ({ text, count }: UtilityQuestionsInput) =>
        text.includes('museum') ? [] : [...new Set(text.split(' '))].slice(0, count).map((word) => `What is ${word}?`),
      summarise: ({ texts }: SummariseInput) => texts.map((text) => text.split(' ').slice(0, 3).join(' ')).join(', '),
    },
    dimension: 16,
  })

/** One that embeds queries and documents otherwise. */
const prefixing = (): Models => {
  const { embed, ...rest } = models()
  return { ...rest, embed: (texts, role) => embed(texts.map((text) => `${role ?? ''} ${text}`)) }
}

const texts = [
  'the mill stands by the river and grinds oats',
  'the river feeds the mill and the weir',
  'the bakery in town sells rye bread \ud800',
  'rye bread is baked in the town oven',
  'the museum keeps the old oven',
  'a storm broke the weir of the mill',
  'a hut',
  'the old storm and the old hut',
  'oats for the town',
]
const chunks = texts.map((text, position): Chunk => ({
  ...{ id: `0:${position}`, documentId: position < 5 ? 'mill' : 'town', position, start: 0, end: text.length },
  ...{ text, tokens: 9 },
}))
const asked = ['Where is rye bread baked?', 'What is a storm?', 'hut', '']

const build = (options: object, using = models()): Promise<Index> =>
  gemRag.index(chunks, using, gemRag.options.parse({ scope: 'document', ...options }))
/** What a file of it says. */
const written = (index: Index): string => JSON.stringify(index.save?.())
/** All that an index says of itself. */
const said = (index: Index): string[] =>
  [written(index), JSON.stringify([index.graph?.(), index.stats?.(), index.warnings?.()])].map(sha256)
const load = (saved: unknown): Index => {
  if (!gemRag.load) throw new Error('gem-rag has no load')
  return gemRag.load(saved, chunks)
}
const passages = (index: Index, using = models()): Promise<string[]> =>
  Promise.all(
    asked.map(async (text) =>
      JSON.stringify(await index.retrieve({ id: 'q', text }, { passages: 6, tokens: 999 }, using)),
    ),
  )

describe('a graph that is saved and loaded', () => {
  test.each([
    [{}, models],
    [{}, prefixing],
    [{ mode: 'best-first', symmetrize: 'max' }, prefixing],
    [{ mode: 'best-first-by-prompt', questionEmbedding: 'raw' }, models],
    [{ select: 'both-ends', components: 3, scope: 'corpus' }, models],
    [{ clustering: 'kmeans', components: 3 }, models],
    [{ questions: 0, components: 0 }, models],
  ])('%j retrieves, draws and says of itself what it did before, byte for byte', async (options, embedder) => {
    const fresh = await build(options, embedder())
    const loaded = load(JSON.parse(written(fresh)))
    expect(await passages(loaded, embedder())).toEqual(await passages(fresh, embedder()))
    expect(said(loaded)).toEqual(said(fresh))
  })

  test('no chunks at all', async () => {
    const none = await gemRag.index([], models(), gemRag.options.parse({}))
    const loaded = gemRag.load?.(JSON.parse(written(none)), [])
    expect(await loaded?.retrieve({ id: 'q', text: 'a' }, { passages: 4, tokens: 99 }, models())).toEqual([])
  })

  test('a question in a vector of another length is refused', async () => {
    const index = load(JSON.parse(written(await build({}))))
    const longer = fakeModels({ dimension: 64 })
    await expect(index.retrieve({ id: 'q', text: 'a' }, { passages: 4, tokens: 99 }, longer)).rejects.toThrow(
      'the embedding model gives 64 numbers a text, and the vectors of the graph have 16: name the model that made them',
    )
  })

  test('vectors are 32-bit numbers and eigenvectors 64-bit ones, as they came', async () => {
    const { memories } = JSON.parse(written(await build({ scope: 'corpus' }))) as SavedGem
    const vectors = await models().embed(texts)
    expect(memories[0]?.vectors.startsWith(packed32(vectors.slice(0, 3), 16))).toBe(true)
    const degrees = Float64Array.from(memories[0]?.edges.length ? [0.1, 1e-300, -3] : [])
    expect(Buffer.from(packed64([degrees], 3), 'base64').readDoubleLE(8)).toBe(1e-300)
  })
})

type Loose = Record<string, unknown>
/** Replaces what stands at a path. */
const put = (path: readonly (string | number)[], value: unknown) => (saved: Loose) => {
  const holder = path.slice(0, -1).reduce<Loose>((one, key) => one[key] as Loose, saved)
  const last = path.at(-1) ?? ''
  holder[last] = typeof value === 'function' ? (value as (before: unknown) => unknown)(holder[last]) : value
}
const first = ['memories', 0] as const
const theme = [...first, 'summaries', 0, 'theme'] as const
/** Base64 of the same numbers, but for the second. */
const withInfinity = (packed: string): string => {
  const bytes = Buffer.from(packed, 'base64')
  bytes.writeFloatLE(-Infinity, 4)
  return bytes.toString('base64')
}

describe('a damaged graph is one line', () => {
  test.each([
    ['"memories" is missing', put(['memories'], undefined)],
    ['"memories" must not be "all"', put(['memories'], 'all')],
    ['"memories[0]" must not be null', put([...first], null)],
    ['"options.mode" must not be "algoritm-1" (did you mean "algorithm-1"?)', put(['options', 'mode'], 'algoritm-1')],
    ['"options" has an unknown key "depth"', put(['options', 'depth'], 3)],
    ['"dimensions" must not be 0', put(['dimensions'], 0)],
    ['"dimensions" must not be -1', put(['dimensions'], -1)],
    [
      '"memories[0].vectors" must be the base64 of 476 bytes, which has 636 characters; it has 600',
      put(['dimensions'], 17),
    ],
    ['"memories[0].vectors" must be the base64 of 28000000000 bytes', put(['dimensions'], 1e9)],
    ['which has 600 characters; it has 4', put([...first, 'vectors'], 'AAAA')],
    ['it has 600, some of them not base64', put([...first, 'vectors'], (one: string) => `*${one.slice(1)}`)],
    [
      '"memories[0].vectors" holds -Infinity (number 2 of vector 1); all numbers must be finite',
      put([...first, 'vectors'], withInfinity),
    ],
    ['"memories[0].questionVectors" must be the base64 of', put([...first, 'questionVectors'], '')],
    [
      '"memories[0].questionVectorsAsDocuments" must be the base64 of',
      put([...first, 'questionVectorsAsDocuments'], ''),
    ],
    ['"memories[0].chunks" must not be an empty list', put([...first, 'chunks'], [])],
    ['"memories[0].chunks[2].chunk" is 9, and the file has 9 chunks', put([...first, 'chunks', 2, 'chunk'], 9)],
    ['"memories[0].chunks[2].chunk" must not be "../secret"', put([...first, 'chunks', 2, 'chunk'], '../secret')],
    ['"memories[0].chunks[1].questions[0]" must not be 3', put([...first, 'chunks', 1, 'questions'], [3])],
    ['"memories[0].questionVectors" must be the base64 of', put([...first, 'chunks', 1, 'questions'], [])],
    ['"memories[0].edges[', put([...first, 'summaries'], [])],
    [
      '"memories[0].summaries[0].theme.members" names the chunk node 5, and there are 5',
      put([...theme, 'members'], [5]),
    ],
    ['"memories[0].summaries[0].theme.weights" has 5 numbers for 1 members', put([...theme, 'members'], [0])],
    ['"memories[0].summaries[0].theme.eigenvalue" must not be Infinity', put([...theme, 'eigenvalue'], Infinity)],
    [
      '"memories[0].edges[3]" leads from node 0 to node 70, and there are 7',
      put([...first, 'edges', 3], { from: 0, to: 70, weight: 1 }),
    ],
    ['"memories[0].edges[3].weight" is missing', put([...first, 'edges', 3, 'weight'], undefined)],
    ['"memories[0].edges[3].weight" must not be NaN', put([...first, 'edges', 3, 'weight'], NaN)],
    ['"memories[0].spectrum.degrees" must be the base64 of 40 bytes', put([...first, 'spectrum', 'degrees'], '')],
    [
      '"memories[0].spectrum.eigenvectors" must be the base64 of 40 bytes',
      put([...first, 'spectrum', 'eigenvalues'], [1]),
    ],
    ['"memories[0].spectrum.solver" must not be "fast"', put([...first, 'spectrum', 'solver'], 'fast')],
  ])('%s', async (message, damage) => {
    const saved = JSON.parse(written(await build({}))) as Loose
    damage(saved)
    const refused = (): unknown => load(saved)
    expect(refused).toThrow(UserError)
    expect(refused).toThrow(message)
    expect(refused).not.toThrow(/\n/)
  })
})
