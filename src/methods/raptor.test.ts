import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../math/random.ts'
import type { SummariseInput } from '../tasks/summarise.ts'
import { fakeModels, type FakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/method.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Chunk } from '../types.ts'
import { clusterLayer, type ClusterLog } from './raptor/clusters.ts'
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

test('three blobs are three clusters, with posteriors', () => {
  const random = mulberry32(7)
  const nodes = Array.from({ length: 60 }, (_, i) => {
    const vector = new Float32Array(16).map(() => 0.02 * random())
    vector[i % 3] = 1
    return { vector, tokens: 5 }
  })
  const log: ClusterLog = { fallbacks: [], reclusterings: 0 }
  const clusters = clusterLayer(nodes, options({ reductionDimension: 20 }), log)
  expect(clusters.map(({ members }) => [...new Set(members.map((member) => member % 3))])).toEqual([[0], [1], [2]])
  expect(clusters[0]?.posteriors?.every((posterior) => posterior > 0.1)).toBe(true)
  expect(log.fallbacks).toEqual([])
})

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
    log: { fallbacks: [], reclusterings: 0 },
    singleMemberClusters: 0,
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
  const text = leaves(60)
    .map((leaf) => `${leaf.text}.`)
    .join(' ')
  const chunks: Chunk[] = [{ id: '0:0', documentId: 'd', position: 0, start: 0, end: text.length, text, tokens: 1 }]
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
