import { describe, expect, test } from 'vitest'
import { similarityFactors } from '../../math/spectrum/factors.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import type { Chunk, Graph } from '../../types.ts'
import { gemRag } from './gem-rag.ts'
import { strongestEdges } from './drawing.ts'

const words = ['mill', 'river', 'oats', 'weir', 'bakery', 'bread', 'oven', 'museum']

/** Chunks of two words each, neighbours of which share one. */
const documentOf = (id: string, size: number): Chunk[] =>
  Array.from({ length: size }, (_, position) => {
    const text = `${words[position % 8] ?? ''} ${words[(position + 1) % 8] ?? ''}`
    return { id: `${id}:${position}`, documentId: id, position, start: 0, end: text.length, text, tokens: 2 }
  })

async function draw(chunks: readonly Chunk[], options: Readonly<Record<string, unknown>> = {}): Promise<Graph> {
  const models = fakeModels({
    replies: { 'utility-questions': () => ['What is it?'], summarise: () => 'A summary.' },
  })
  const index = await gemRag.index(chunks, models, gemRag.options.parse({ scope: 'document', ...options }))
  return index.graph?.() ?? { nodes: [], edges: [] }
}

const three = [...documentOf('mill', 5), ...documentOf('town', 7), ...documentOf('hut', 1)]

describe('groups', () => {
  test('gives every theme of every document its own group, named after both', async () => {
    const { nodes, groups = [] } = await draw(three)
    expect(groups).toEqual(['theme 1 of mill', 'theme 2 of mill', 'theme 1 of town', 'theme 2 of town'])
    const summaries = nodes.filter(({ kind }) => kind === 'summary')
    expect(summaries.map(({ id, group }) => [id, group])).toEqual(groups.map((name, index) => [name, index + 1]))
    for (const { group, data } of summaries) {
      // a chunk of several themes has the colour of its first
      const members = ((data?.['members'] ?? []) as number[]).map((member) => nodes[member]?.group ?? 0)
      expect(members.every((own) => own === group || own === (group ?? 0) - 1)).toBe(true)
    }
    expect(nodes.find(({ id }) => id === 'hut:0')?.group).toBe(0)
  })

  test("leaves out the document's name when there is one memory", async () => {
    expect((await draw(three, { scope: 'corpus' })).groups).toEqual(['theme 1', 'theme 2'])
    expect((await draw(documentOf('mill', 4), { components: 1 })).groups).toEqual(['theme 1'])
    expect((await draw([])).groups).toEqual([])
  })
})

describe('notes on the spectrum', () => {
  test('reports Λ = 2 and no gap for two chunks, whose eigenvalues are 1 and -1', async () => {
    expect((await draw(documentOf('hut', 2))).notes?.slice(1)).toEqual([
      'Λ, the sum of all squared eigenvalues (Remark 3): 2.',
      'Remark 2 gives no estimate of the number of themes.',
    ])
  })

  test('counts disconnected parts by their eigenvalue 1 (Remark 2)', async () => {
    const parts = documentOf('d', 6).map((chunk) => ({ ...chunk, text: words[Math.floor(chunk.position / 2)] ?? '' }))
    // each part has the eigenvalues 1 and -1
    const { notes } = await draw(parts, { questions: 0 })
    expect(notes?.slice(1)).toEqual([
      'Λ, the sum of all squared eigenvalues (Remark 3): 6.',
      'Remark 2 estimates 3 themes; from the highest down, the largest gap follows number 3.',
    ])
  })
})

test('stores the eigenvector entries of chunks, and none for summaries', async () => {
  const { nodes } = await draw(documentOf('mill', 7), { components: 3 })
  const entries = nodes.map(({ data }) => data?.['eigenvector'] as number[] | undefined)
  expect(entries.map((own) => own?.length)).toEqual([...Array<number>(7).fill(3), undefined, undefined, undefined])
  // eigenvectors are unit vectors, the first without a change of sign
  for (const component of [0, 1, 2])
    expect(entries.reduce((sum, own) => sum + (own?.[component] ?? 0) ** 2, 0)).toBeCloseTo(1, 2)
  expect(entries.slice(0, 7).every((own) => (own?.[0] ?? -1) > 0)).toBe(true)
  const clusters = await draw(documentOf('mill', 7), { clustering: 'kmeans' })
  expect(clusters.nodes.some(({ data }) => data && 'eigenvector' in data)).toBe(false)
})

test('notes the number of edges that a drawing leaves out, if any', async () => {
  const many = await draw(documentOf('mill', 40))
  expect(many.leftOut).toBeGreaterThan(100)
  expect(many.notes?.at(-1)).toBe(
    `The graph is complete: of its ${many.edges.length + (many.leftOut ?? 0)} edges of positive weight the 8 strongest of every node are drawn, ${many.edges.length} in all.`,
  )
  const few = await draw(documentOf('mill', 4))
  expect(few.leftOut).toBe(0)
  expect(few.notes?.join()).not.toContain('strongest')
})

test('the strongest edges prefer the lower neighbour in ties', () => {
  const same = similarityFactors([[], [], [], []], [[1], [1], [1], [1]])
  const found = strongestEdges(same, 1)
  expect(found).toEqual({ edges: [1, 2, 3].map((to) => ({ from: 0, to, weight: 1 })), leftOut: 3 })
})
