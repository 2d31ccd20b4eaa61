import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mulberry32, shuffle } from '../../math/random.ts'
import type { summarise } from '../../tasks/pieces.ts'
import { chunkAt, failing } from '../../test-support/ask-method.ts'
import { fakeModels, type FakeModels } from '../../testing/fake-models.ts'
import { retrieve } from '../../run/execute/retrieve.ts'
import { chunkCorpus } from '../../run/execute/chunk-corpus.ts'
import { tokenizer } from '../../text/tokens.ts'
import type { Budget, Chunk } from '../../types.ts'
import { leavesOf, type Leaf } from './leaves.ts'
import { raptorOptions } from './options.ts'
import { growTree, type Tree } from './tree.ts'
import { raptor } from './raptor.ts'
import { testMethod } from '../../testing/index.ts'

type SummariseInput = Parameters<typeof summarise.prompt>[0]

testMethod(raptor)
testMethod(raptor, { options: { scope: 'corpus', chunkTokens: 20 } })
testMethod(raptor, { options: { compat: true, chunkTokens: 15 } })

const models = (): FakeModels =>
  fakeModels({
    replies: {
      summarise: ({ texts }: SummariseInput) =>
        `Summary of ${texts.map((text) => text.split(' ').slice(0, 4).join(' ')).join(', ')}`.slice(0, 300),
    },
  })
const options = (given: object = {}) => raptorOptions.parse(given)
const { count } = tokenizer('cl100k_base')

/** Leaves around a few topics, so that they cluster. */
const topics = [
  'river mill oats grain wheel',
  'bakery bread rye oven flour',
  'museum glass cases old coins',
  'storm wind weir flood rain',
]
const leaves = (n: number, seed = 1): Leaf[] => {
  const random = mulberry32(seed)
  return Array.from({ length: n }, (_, i) => {
    const words = (topics[i % topics.length] ?? '').split(' ')
    const text = Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]).join(' ')
    return { documentId: 'd', start: 0, end: 0, text: `${text} ${i}`, from: [`c${i}`] }
  })
}

const reachable = ({ nodes, layers }: Tree): Set<number> => {
  const seen = new Set<number>()
  const visit = (number: number): void => {
    if (seen.has(number)) return
    seen.add(number)
    nodes[number]?.children.forEach(visit)
  }
  layers.at(-1)?.forEach(visit)
  return seen
}

describe('tree', () => {
  test.each([12, 40])('makes one call per summary from %i leaves, and reaches every leaf', async (n) => {
    const using = models()
    const tree = await growTree(leaves(n), using, options())
    expect(tree.layers.length).toBeGreaterThan(1)
    expect(using.calls).toHaveLength(tree.nodes.length - n)
    expect(reachable(tree).size).toBe(tree.nodes.length)
    expect(tree.layers.length).toBeLessThanOrEqual(6)
  })

  test('cuts a cluster that cannot be split, so that no summary input exceeds its limit', async () => {
    const using = models()
    const same = leaves(30).map((leaf) => ({ ...leaf, text: 'the same eight words for each of them '.repeat(70) }))
    const tree = await growTree(same, using, options())
    expect(tree.log.cut).toBeGreaterThan(0)
    for (const { input } of using.calls) {
      const { texts } = input as SummariseInput
      if (texts.length > 1) expect(texts.reduce((sum, text) => sum + count(text), 0)).toBeLessThanOrEqual(3500)
    }
    expect(reachable(tree).size).toBe(tree.nodes.length)
  })

  test('reaches every leaf of random corpora, and ends', async () => {
    const word = fc.constantFrom('mill', 'bread', 'storm', 'coin', '粉', 'a')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 40 }),
        fc.boolean(),
        async (texts, compat) => {
          const leaf = { documentId: 'd', start: 0, end: 0 }
          const all = texts.map((words, i) => ({ ...leaf, text: words.join(' '), from: [String(i)] }))
          const tree = await growTree(all, models(), options({ compat }))
          expect(reachable(tree).size).toBe(tree.nodes.length)
        },
      ),
      { numRuns: 40 },
    )
  })
})

test.each(['corpus', 'document'])('builds identical trees and rankings for any order of chunks: %s', async (scope) => {
  const chunks = Array.from({ length: 6 }, (_, d) => chunksOf(`document ${d}`, leaves(14, 1 + (d % 4)))).flat()
  const found = async (all: readonly Chunk[]) => {
    const index = await raptor.index(all, models(), options({ chunkTokens: 20, scope }))
    const asked = { id: 'q', text: 'bread and rye of the mill' }
    return [index.graph?.(), await index.retrieve(asked, { passages: 20, tokens: 5000 }, models())]
  }
  const before = await found(chunks)
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      expect(await found(shuffle(chunks, mulberry32(seed)))).toEqual(before)
    }),
    { numRuns: 5 },
  )
})

/** A document of one chunk per text. */
function chunksOf(documentId: string, texts: readonly Leaf[]): Chunk[] {
  let end = 0
  return texts.map(({ text }, position) => {
    const start = end
    end += text.length + 2
    return { id: `${documentId}:${position}`, documentId, position, start, end, text: `${text}. `, tokens: 1 }
  })
}

describe('leaves', () => {
  const cut = (text: string, given: object = {}) =>
    leavesOf([chunkAt(0, text)], options({ chunkTokens: 8, ...given })).map((leaf) => leaf.text)

  test('packs whole sentences while they fit', () => {
    expect(cut('One two three. Four five. Six seven eight nine ten eleven.')).toEqual([
      'One two three. Four five.',
      'Six seven eight nine ten eleven.',
    ])
  })

  test('drops delimiters in compat mode, as the reference does', () => {
    expect(cut('It was 3.5 long! Was it? Yes.', { compat: true, chunkTokens: 100 })).toEqual([
      'It was 3 5 long  Was it  Yes',
    ])
  })

  const words = ['Mill.', 'a,', 'bread;', 'Dr. No', '?', '\n\n', 'ox', '粉粉粉粉粉粉粉粉粉', '👩‍👩‍👧', 'x'.repeat(60)]
  const piece = fc.constantFrom(...words)

  test.each([false, true])('compat %s: makes no empty or overlong leaf, and loses or moves no word', (compat) => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 30 }), (parts) => {
        const text = parts.join(' ')
        const found = cut(text, { compat })
        for (const leaf of found) {
          expect(leaf.trim()).not.toBe('')
          expect(count(leaf)).toBeLessThanOrEqual(8)
        }
        const bare = (words: string): string => words.replace(/[\s.!?,;:]/g, '')
        expect(bare(found.join(''))).toBe(bare(text))
      }),
    )
  })
})

describe("RAPTOR's own limits", () => {
  const contextOf = async (given: object, budget: Budget) => {
    const text = leaves(60).map((leaf) => `${leaf.text}. `)
    const documents = [{ id: 'd', text: text.join('') }]
    const settings = { size: 100, overlap: 0, by: 'tokens', tokenizer: 'o200k_base' } as const
    const chunked = chunkCorpus({ id: 'c', documents, questions: [] }, settings)
    const index = await raptor.index(chunked.chunks, models(), options({ chunkTokens: 20, ...given }))
    const { passages, stop: stopped } = await retrieve(
      { id: 'q', text: 'bread and rye of the mill' },
      { method: raptor, index, chunkedCorpus: chunked },
      budget,
      models(),
    )
    return { passages: passages.length, tokens: passages.reduce((sum, { tokens }) => sum + tokens, 0), stopped }
  }
  const wide = { passages: 40, tokens: 9000 }

  test('a trial records that a token limit of method or budget ended the context', async () => {
    const own = await contextOf({ maxTokens: 60 }, wide)
    expect(own.stopped).toBe('tokens')
    expect(own.tokens).toBeLessThanOrEqual(60)
    expect(own.passages).toBeGreaterThan(0)
    expect(await contextOf({}, { ...wide, tokens: 60 })).toEqual(own)
  })

  test('returns at most ten nodes by default, as in the code', async () => {
    expect(await contextOf({}, wide)).toMatchObject({ passages: 10 })
  })
})

describe('summaries', () => {
  const refusing = (refused: (call: number) => boolean, kind: 'reply' | 'refused' | 'server' = 'refused') => {
    let call = 0
    const reply = 'Mill and bread. A second sentence that is longer than the target allows.'
    return fakeModels({ replies: { summarise: () => (refused(call++) ? failing(kind)() : reply) } })
  }
  const whole = () => refusing(() => false)

  test.each(['reply', 'refused'] as const)(
    'a lost summary (%s) loses its node, and its children stay',
    async (kind) => {
      const using = refusing((call) => call === 1, kind)
      const layer = (await growTree(leaves(40), whole(), options())).layers[1] ?? []
      const tree = await growTree(leaves(40), using, options())
      expect(tree.layers[0]).toHaveLength(40)
      expect(tree.layers[1]).toHaveLength(layer.length - 1)
      expect(tree.errors).toMatchObject([{ kind }])
      expect(tree.nodes.map(({ number }) => number)).toEqual(tree.nodes.map((_, index) => index))
    },
  )

  test('counts lost summaries, and fails if all are lost or the server fails', async () => {
    const build = (using: FakeModels, given = {}) =>
      raptor.index(chunksOf('d', leaves(60)), using, options({ chunkTokens: 20, ...given }))
    const index = await build(refusing((call) => call === 0))
    expect(index.warnings?.()).toMatchObject({ 'summaries that could not be read or were refused': 1 })
    await expect(build(refusing(() => true))).rejects.toThrow(/summarise: every reply was refused or could not be read/)
    await expect(build(refusing((call) => call === 0, 'server'))).rejects.toThrow('played server')
  })

  test('never exceed summaryTokens', async () => {
    const tree = await growTree(leaves(40), whole(), options({ summaryTokens: 10 }))
    const summaries = tree.nodes.filter(({ layer }) => layer > 0)
    expect(new Set(summaries.map(({ text }) => text))).toEqual(new Set(['Mill and bread.']))
    expect(tree.cutSummaries).toBe(summaries.length)
  })
})

const built = async (documents: readonly number[], given: object = {}) => {
  const chunks = documents.flatMap((size, d) => chunksOf(`document ${d}`, leaves(size, 1 + d)))
  const index = await raptor.index(chunks, models(), options({ chunkTokens: 25, ...given }))
  return { ...index.stats?.(), warned: index.warnings?.()['trees without a summary'] }
}

test.each([
  [[11, 11, 30], 'corpus', 1, 0],
  [[11, 30, 30], 'document', 3, 1],
  [[11, 11, 30, 30], 'corpus', 1, 0],
  [[11], 'document', 1, 1],
  [[30], 'document', 1, 0],
])('the scope auto over documents of %j leaves: %s', async (documents, scope, trees, warned) => {
  expect(await built(documents)).toMatchObject({ scope, trees, warned })
})
