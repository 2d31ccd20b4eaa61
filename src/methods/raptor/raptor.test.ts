import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mulberry32, shuffle } from '../math/random.ts'
import type { SummariseInput } from '../tasks/summarise.ts'
import { fakeModels, type FakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/method.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Chunk } from '../types.ts'
import { emptyLog } from './raptor/clusters.ts'
import { leavesOf, type Leaf } from './raptor/leaves.ts'
import { raptorOptions } from './raptor/options.ts'
import { collapsed, traversal } from './raptor/search.ts'
import { grow, type Tree } from './raptor/tree.ts'
import { raptor } from './raptor.ts'

const models = (): FakeModels =>
  fakeModels({
    replies: {
      summarise: ({ texts }: SummariseInput) =>
        `Summary of ${texts.map((text) => text.split(' ').slice(0, 4).join(' ')).join(', ')}`.slice(0, 300),
    },
  })
const options = (given: object = {}) => raptorOptions.parse({ reducer: 'pca', ...given })
const { count } = tokenizer('cl100k_base')

testMethod(raptor, { models, options: { reducer: 'pca' } })
testMethod(raptor, {
  models,
  options: { splitter: 'run', scope: 'corpus', retrieval: 'traversal', singleRoot: true, chunkTokens: 20 },
})
testMethod(raptor, {
  models,
  options: { compat: true, chunkTokens: 15, traversalMode: 'threshold', retrieval: 'traversal', threshold: 0.1 },
})

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
    return { documentId: 'd', text: `${text} ${i}`, from: [`c${i}`] }
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
  test.each([1, 2, 3, 11])('%i leaves: no summaries, no throw', async (n) => {
    const using = models()
    const tree = await grow(leaves(n), using, options({ reducer: 'umap' }))
    expect(tree.layers).toHaveLength(1)
    expect(using.calls).toHaveLength(0)
  })

  test.each(['umap', 'pca', 'none'])(
    'from 12 leaves on, one call a summary, and every leaf is reachable (%s)',
    async (reducer) => {
      for (const n of [12, 40]) {
        const using = models()
        const tree = await grow(leaves(n), using, options({ reducer }))
        expect(tree.layers.length).toBeGreaterThan(1)
        expect(using.calls).toHaveLength(tree.nodes.length - n)
        expect(reachable(tree).size).toBe(tree.nodes.length)
        expect(tree.layers.length).toBeLessThanOrEqual(6)
      }
    },
  )

  test('the same seed gives the same tree, two at once or not', async () => {
    const shape = ({ nodes }: Tree) => nodes.map(({ text, children }) => [text, children])
    const one = await grow(leaves(40), models(), options({ reducer: 'umap' }))
    const [two, three] = await Promise.all([1, 2].map(() => grow(leaves(40), models(), options({ reducer: 'umap' }))))
    expect(two && shape(two)).toEqual(shape(one))
    expect(three && shape(three)).toEqual(shape(one))
  })

  test('all embeddings alike: no throw, an end, every leaf reachable', async () => {
    const same = leaves(30).map((leaf) => ({ ...leaf, text: 'the same words' }))
    const tree = await grow(same, models(), options({ reducer: 'umap' }))
    expect(reachable(tree).size).toBe(tree.nodes.length)
    expect(tree.layers[0]).toHaveLength(30)
  })

  test('a cluster that does not come apart is cut in text order, and no summariser is given more than it may', async () => {
    const using = models()
    const same = leaves(30).map((leaf) => ({ ...leaf, text: 'the same eight words for each of them' }))
    const tree = await grow(same, using, options({ maxClusterTokens: 50 }))
    expect(tree.log.reclusterings).toBeGreaterThan(0)
    for (const { input } of using.calls) {
      const { texts } = input as SummariseInput
      if (texts.length > 1) expect(texts.reduce((sum, text) => sum + count(text), 0)).toBeLessThanOrEqual(50)
    }
    expect(reachable(tree).size).toBe(tree.nodes.length)
  })

  test('500 random corpora never throw, keep every leaf and end', async () => {
    const word = fc.constantFrom('mill', 'bread', 'storm', 'coin', '粉', 'a')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 40 }),
        fc.constantFrom('diag', 'full', 'spherical'),
        fc.constantFrom('pca', 'none', 'umap'),
        async (texts, covariance, reducer) => {
          const all = texts.map((words, i) => ({ documentId: 'd', text: words.join(' '), from: [String(i)] }))
          const tree = await grow(all, models(), options({ covariance, reducer, maxClusterTokens: 20 }))
          expect(reachable(tree).size).toBe(tree.nodes.length)
        },
      ),
      { numRuns: 500 },
    )
  }, 300_000)
})

describe('the order of the leaves', () => {
  /** What stands under every node, by layer. */
  const families = ({ nodes }: Tree): string[] => {
    const leavesUnder = (number: number): number[] => {
      const { layer = 0, children = [] } = nodes[number] ?? {}
      return layer === 0 ? [number] : children.flatMap(leavesUnder)
    }
    return nodes
      .map(({ layer, number }) => {
        const texts = [...new Set(leavesUnder(number))].map((leaf) => nodes[leaf]?.text ?? '')
        return `${layer}: ${texts.sort().join(' | ')}`
      })
      .sort()
  }
  /** A summary follows the order of its texts; one that does not shows what the order does to the clusters alone. */
  const unordered = (): FakeModels =>
    fakeModels({ replies: { summarise: ({ texts }: SummariseInput) => texts.toSorted().join(' ').slice(0, 400) } })
  const repeated = leaves(90).map((leaf, i, all) => ({ ...leaf, text: all[i % 9 === 0 ? 3 : i]?.text ?? '' }))

  test.each<[string, object, number]>([
    ['umap', {}, 0],
    ['pca', {}, 0],
    ['none', {}, 0],
    ['pca', { covariance: 'full', singleRoot: true }, 0],
    ['none', { maxClusterTokens: 300 }, 1],
    ['umap', { membership: 'value-compat' }, 0],
  ])('changes nothing under any node: %s %j, %d clusterings again', async (reducer, given, again) => {
    const build = (all: readonly Leaf[]) =>
      grow(all, unordered(), options({ reducer, reductionDimension: 4, ...given }))
    const tree = await build(repeated)
    expect(tree.layers.length).toBeGreaterThan(2)
    expect(tree.log).toMatchObject({ reclusterings: again, cut: 0 })
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        expect(families(await build(shuffle(repeated, mulberry32(seed))))).toEqual(families(tree))
      }),
      { numRuns: 8 },
    )
  })

  test.each<object>([
    { scope: 'corpus', splitter: 'sentence' },
    { scope: 'corpus', splitter: 'run' },
    { scope: 'document', splitter: 'run', reductionDimension: 4 },
    { scope: 'corpus', splitter: 'run', maxClusterTokens: 60 },
  ])('no order of the chunks changes a byte of the trees, or what is found: %j', async (given) => {
    const chunks = Array.from({ length: 6 }, (_, d) => chunksOf(`document ${d}`, leaves(14, 1 + (d % 4)))).flat()
    const found = async (all: readonly Chunk[]) => {
      const index = await raptor.index(all, models(), options({ chunkTokens: 20, ...given }))
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

describe('search', () => {
  const node = (number: number, layer: number, x: number, tokens: number, children: number[] = []) => ({
    number,
    layer,
    text: `node ${number}`,
    tokens,
    vector: Float32Array.of(x, Math.sqrt(1 - x * x)),
    from: [],
    children,
  })
  const nodes = [
    node(0, 0, 1, 10),
    node(1, 0, 0.9, 90),
    node(2, 0, 0.8, 5),
    node(3, 0, 0.1, 5),
    node(4, 1, 0.5, 5, [0, 3]),
    node(5, 1, 0.6, 5, [1, 2]),
  ]
  const tree: Tree = {
    nodes,
    layers: [
      [0, 1, 2, 3],
      [4, 5],
    ],
    log: emptyLog(),
    singleMemberClusters: 0,
    stopped: 'few nodes',
  }
  const question = Float32Array.of(1, 0)
  const numbers = (found: readonly { readonly node: { readonly number: number } }[]) =>
    found.map((one) => one.node.number)

  test('collapsed: by distance over all layers; a long second node hides a short third', () => {
    expect(numbers(collapsed([tree], question, options()))).toEqual([0, 1, 2, 5, 4, 3])
    expect(numbers(collapsed([tree], question, options({ maxTokens: 50 })))).toEqual([0])
    expect(numbers(collapsed([tree], question, options({ topK: 2 })))).toEqual([0, 1])
  })

  test('traversal: from the top layer to the children of what was taken', () => {
    expect(numbers(traversal([tree], question, options({ traversalTopK: 1 })))).toEqual([5, 1])
    expect(numbers(traversal([tree], question, options({ traversalMode: 'threshold', threshold: 0.55 })))).toEqual([
      5, 1, 2,
    ])
  })

  test.each<[object, number[]]>([
    [{}, [5, 4, 0, 1, 2, 3]],
    [{ topK: 3 }, [5, 4, 0]],
    [{ maxTokens: 25 }, [5, 4, 0]],
    [{ maxTokens: 9 }, [5]],
    [{ startLayer: 0 }, [0, 1, 2, 3]],
    [{ startLayer: 7 }, [5, 4, 0, 1, 2, 3]],
    [{ traversalLayers: 1 }, [5, 4]],
  ])('traversal %j', (given, expected) => {
    expect(numbers(traversal([tree], question, options(given)))).toEqual(expected)
  })

  test.each(['cosine', 'l1', 'l2', 'linf'])('%s puts the nearest first', (distance) => {
    expect(numbers(collapsed([tree], question, options({ distance, topK: 1 })))).toEqual([0])
  })
})

describe('leaves', () => {
  const chunk = (text: string): Chunk[] => [
    { id: '0:0', documentId: 'd', position: 0, start: 0, end: text.length, text, tokens: 1 },
  ]
  const cut = (text: string, given: object = {}) =>
    leavesOf(chunk(text), options({ chunkTokens: 8, ...given })).map((leaf) => leaf.text)

  test('whole sentences while they fit', () => {
    expect(cut('One two three. Four five. Six seven eight nine ten eleven.')).toEqual([
      'One two three. Four five.',
      'Six seven eight nine ten eleven.',
    ])
  })

  test('the reference drops its delimiters', () => {
    expect(cut('It was 3.5 long! Was it? Yes.', { splitter: 'raptor-compat', chunkTokens: 100 })).toEqual([
      'It was 3 5 long  Was it  Yes',
    ])
  })

  test('an overlap repeats whole sentences', () => {
    expect(cut('Aa bb. Cc dd. Ee ff. Gg hh.', { overlap: 4 })[1]).toMatch(/^Cc dd\./)
  })

  test.each(['sentence', 'raptor-compat'])(
    '%s: no leaf is empty or too long, and no word is lost or moved',
    (splitter) => {
      fc.assert(
        fc.property(
          fc.array(
            fc.constantFrom(
              'Mill.',
              'a,',
              'bread;',
              'Dr. No',
              '?',
              '\n\n',
              'ox',
              '粉粉粉粉粉粉粉粉粉',
              '👩‍👩‍👧',
              'x'.repeat(60),
            ),
            { minLength: 1, maxLength: 30 },
          ),
          (parts) => {
            const text = parts.join(' ')
            const found = cut(text, { splitter })
            for (const leaf of found) {
              expect(leaf.trim()).not.toBe('')
              if (splitter === 'sentence') expect(count(leaf)).toBeLessThanOrEqual(8)
            }
            const bare = (words: string): string => words.replace(/[\s.!?]/g, '')
            expect(bare(found.join(''))).toBe(bare(text))
          },
        ),
      )
    },
  )
})

test('the index counts what it built, and its passages say layer, cluster and children', async () => {
  const chunks = chunksOf('d', leaves(60))
  const index = await raptor.index(chunks, models(), options({ chunkTokens: 20 }))
  expect(index.stats?.()).toMatchObject({
    trees: 1,
    layers: expect.any(Number),
    summaries: expect.any(Number),
    fallbacks: [],
  })
  const passages = await index.retrieve(
    { id: 'q', text: 'Summary of river mill oats' },
    { passages: 50, tokens: 5000 },
    models(),
  )
  expect(passages.length).toBeLessThanOrEqual(10)
  const summary = passages.find(({ kind }) => kind === 'summary')
  expect(summary?.why).toMatchObject({ layer: 1, cluster: expect.any(Number), children: expect.any(Array) })
})

describe('what was done otherwise than asked', () => {
  const built = async (given: object, using = models()) => {
    const index = await raptor.index(chunksOf('d', leaves(90)), using, options({ chunkTokens: 20, ...given }))
    const losses = Object.entries(index.losses?.() ?? {}).filter(([, count]) => count > 0)
    return { stats: index.stats?.(), losses: Object.fromEntries(losses) }
  }

  test('nothing', async () => {
    const { stats, losses } = await built({})
    expect(losses).toEqual({})
    expect(stats).toMatchObject({ stopped: ['few nodes'], cutInTextOrder: 0, fallbacks: [] })
  })

  test('a tree that has its layers has lost none', async () => {
    const { stats, losses } = await built({ numLayers: 1, reductionDimension: 4 })
    expect(stats).toMatchObject({ stopped: ['numLayers'], layers: 2 })
    expect(losses).toEqual({})
  })

  test('a tree that stays flat says so', async () => {
    const { stats, losses } = await built({ maxClusterTokens: 1 })
    expect(stats).toMatchObject({ stopped: ['staircase'], layers: 1 })
    expect(losses['trees that ended early because the next layer would have had nearly as many nodes']).toBe(1)
  })

  test('clusterings by another shape are counted by kind', async () => {
    const wide = fakeModels({ dimension: 80, replies: { summarise: () => 'a summary' } })
    const { stats, losses } = await built({ reducer: 'none', covariance: 'full' }, wide)
    const told = stats?.['fallbacks'] as string[]
    expect(told[0]).toBe('tree 0: layer 1.global: full to diag: 80 columns are too many for a full covariance')
    expect(losses).toEqual({ 'clusterings that fell back from full to diag': told.length })
  })
})
