import { expect, test } from 'vitest'
import type { Chunk, Corpus, Graph, Question } from '../../types.ts'
import { chunkCorpus } from '../asking/chunk-corpus.ts'
import { measureGraph } from './health.ts'

const texts = ['Tamsin Vale built the mill.', 'The mills of Orrin burnt down.', 'Nobody is named here.', 'Rye bread.']
const reference = { kind: 'turn', accepted: '' } as const
const asking = (id: string, document: number, text: string): Question => ({
  ...{ id, text: 'Who?', reference },
  evidence: [{ documentId: String(document), text }],
})
const corpus: Corpus = {
  id: 'c',
  documents: texts.map((text, index) => ({ id: String(index), text })),
  questions: [asking('a', 0, 'Tamsin Vale'), asking('b', 2, 'Nobody is named'), asking('c', 3, 'stands nowhere')],
}
const chunked = chunkCorpus(corpus, { size: 50, overlap: 0, by: 'none', tokenizer: 'o200k_base' })
const entity = (text: string, ...rows: readonly number[]): Graph['nodes'][number] => ({
  ...{ id: text, kind: 'entity', text },
  from: rows.map((row) => chunked.chunks[row]?.id ?? ''),
})
const edge = (from: number, to: number, weight = 1) => ({ from, to, weight })

test('counts of a graph by hand: both directions are one pair, a loop is none', async () => {
  const graph: Graph = {
    nodes: [
      entity('Tamsin Vale', 0),
      entity('the mill', 0, 1),
      entity('Mills', 1),
      entity('King Arthur', 3),
      entity('x'),
    ],
    edges: [edge(0, 1), edge(1, 0, -2), edge(1, 2), edge(3, 3)],
  }
  expect((await measureGraph(graph, chunked)).health).toEqual({
    ...{ nodes: 5, edges: 2, withoutEdge: 2, components: 3, largest: 3, entities: 5, unrelated: 2, duplicates: 1 },
    // what stands in no chunk is no evidence that an entity could be read from
    ...{ sourced: 4, ungrounded: 1, evidence: 2, unmentioned: 1 },
  })
})

test('entities come from the texts that they are joined to; a text that is joined to none of them is read of none', async () => {
  const nodes = [
    ...chunked.chunks.map(({ id, text }) => ({ id, kind: 'chunk', text })),
    { id: 'e', kind: 'entity', text: 'Orrin' },
    { id: 's', kind: 'summary', text: 'Of a mill.' },
  ]
  const { health, names } = await measureGraph({ nodes, edges: [edge(4, 1), edge(4, 5)] }, chunked)
  expect(health).toMatchObject({ entities: 1, unrelated: 1, sourced: 1, ungrounded: 0, evidence: 2, unmentioned: 2 })
  expect(
    Object.values(names)
      .map((own) => own.length)
      .sort(),
  ).toEqual([0, 0, 0, 6])
})

test('edges that are not drawn are counted, and leave the components unknown', async () => {
  const nodes = ['a', 'b'].map((id) => ({ id, kind: 'chunk', text: id }))
  expect((await measureGraph({ nodes, edges: [edge(0, 1)], leftOut: 7 }, chunked)).health).toMatchObject({
    ...{ edges: 8, components: null, largest: null, entities: 0, sourced: 0, evidence: 0 },
  })
  expect((await measureGraph({ nodes: [], edges: [] }, chunked)).health).toMatchObject({
    nodes: 0,
    components: 0,
    largest: 0,
  })
})

test.each<[readonly string[], number]>([
  [['Rivers of Ice', 'river of ice', 'THE RIVER ICE', 'rivière'], 2],
  // one letter more, one other letter, and a chain of both
  [['Christopher Nolan', 'Cristopher Nolan', 'Cristopher Nolen'], 2],
  // two letters that changed places, and two words that differ in one letter each
  [['Christopher', 'Chirstopher', 'Kathryn Smith', 'Cathryn Smyth'], 0],
  // numbers, numerals, short words and short names
  [['Apollo 11 mission', 'Apollo 12 mission', 'Queen Elizabeth I', 'Queen Elizabeth II', 'Maria', 'Marie'], 0],
  [['', '…', '北京', '北京'], 1],
])('near duplicates of %j: %d', async (names, count) => {
  const graph = { nodes: names.map((text) => entity(text)), edges: [] }
  expect((await measureGraph(graph, chunked)).health.duplicates).toBe(count)
})

test('the names of a text are the same whatever order and case they come in, and 50 texts are kept', async () => {
  const many: readonly Chunk[] = Array.from({ length: 80 }, (_, row) => {
    const text = `Text ${row}`
    return { id: String(row), documentId: 'd', position: row, start: 0, end: text.length, text, tokens: 2 }
  })
  const locate = { relevant: () => ({ relevant: [] }) }
  const read = async (nodes: Graph['nodes']) =>
    (await measureGraph({ nodes, edges: [] }, { chunks: many, corpus: { questions: [] }, locate })).names
  const ids = many.map(({ id }) => id)
  const nodes = ['Mill', 'Orrin'].map((text) => ({ id: text, kind: 'entity', text, from: ids }))
  const names = await read(nodes)
  expect(Object.keys(names)).toHaveLength(50)
  expect(Object.values(names).every((own) => /^[0-9a-f]{12}$/.test(own))).toBe(true)
  expect(await read(nodes.toReversed().map((node) => ({ ...node, text: node.text.toUpperCase() })))).toEqual(names)
})

test('10,000 entities take less than 5 seconds of a processor', async () => {
  const nodes = Array.from({ length: 10_000 }, (_, row) =>
    entity(`Person number ${row.toString(36)} of a town`, row % 4),
  )
  const edges = nodes.flatMap((_, row) => [edge(row, (row * 7919) % 10_000), edge(row, (row + 1) % 10_000)])
  const start = process.cpuUsage()
  expect((await measureGraph({ nodes, edges }, chunked)).health.entities).toBe(10_000)
  const { user, system } = process.cpuUsage(start)
  expect(user + system).toBeLessThan(5_000_000)
})
