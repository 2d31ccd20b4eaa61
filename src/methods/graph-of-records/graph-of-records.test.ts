import { describe, expect, test } from 'vitest'
import { ModelError } from '../../errors.ts'
import { freshNetwork, packNetwork, unpackNetwork } from '../../math/gat/network.ts'
import { fakeModels, type FakeReply } from '../../testing/fake-models.ts'
import type { Chunk, Method } from '../../types.ts'
import { build, type BuiltGraph } from './build.ts'
import { graphOfRecords } from './graph-of-records.ts'
import { node2vec } from './node2vec.ts'
import { readWeights, formatWeights, type TrainConfig } from './weights.ts'
import { isRefusal } from './record-graph.ts'
import { thoughtR } from './thought-r.ts'
import { testMethod } from '../../testing/index.ts'
import { ask, chunkAt, failing } from '../../test-support/ask-method.ts'
import { fileOf } from '../../test-support/dataset-copies/write-files.ts'

testMethod(graphOfRecords)
testMethod(graphOfRecords, { options: { responses: false } })
testMethod(node2vec)
testMethod(thoughtR)

const topics = ['harbour', 'glacier', 'loom', 'orchard', 'lantern', 'quarry', 'ferry', 'violin', 'kiln', 'meadow']
const chunk = (text: string, position: number, documentId = 'd'): Chunk =>
  chunkAt(position, text, { id: `${documentId}:${position}`, documentId })
const chunks = topics.map((topic, place) => chunk(`The ${topic} was ${place} years old.`, place))

interface SimulateInput {
  readonly passage: string
  readonly variant: number
}
interface AnswerInput {
  readonly question: string
  readonly passages: readonly string[]
}

const usual = {
  'simulate-query': ({ passage, variant }: SimulateInput) => `1. What of ${passage.split(' ')[1]} ${variant}?\nMore`,
  'answer-from-passages': ({ question }: AnswerInput) => `Answer to ${question}`,
}
const playing = (replies: Readonly<Record<string, FakeReply>> = {}, dimension = 64) =>
  fakeModels({ replies: { ...usual, ...replies }, dimension })

async function built(models = playing(), own = chunks) {
  const graphs = await build(own, models)
  return { graphs, graph: graphs[0] as BuiltGraph }
}

const failuresOf = ({ simulation: { attempts } }: BuiltGraph) =>
  attempts.filter((outcome) => outcome instanceof ModelError).length

describe('simulated queries', () => {
  test('count lost replies, and fail if all are lost', async () => {
    let count = 0
    const refused = failing('refused')
    const half = (input: SimulateInput) => (count++ % 2 ? refused() : usual['simulate-query'](input))
    const some = await built(playing({ 'simulate-query': half }))
    expect(failuresOf(some.graph)).toBeGreaterThan(0)
    await expect(built(playing({ 'simulate-query': refused }))).rejects.toThrow('simulate-query: every reply')
    await expect(built(playing({ 'answer-from-passages': refused }))).rejects.toThrow(
      'answer-from-passages: every reply',
    )
  })

  test('give a document without queries a graph of its chunks alone', async () => {
    const bad = topics.map((topic, place) => chunk(`A forbidden ${topic}.`, place, 'e'))
    const reply = (input: SimulateInput) =>
      input.passage.includes('forbidden') ? failing('refused')() : usual['simulate-query'](input)
    const models = playing({ 'simulate-query': reply })
    const { graphs } = await built(models, [...chunks, ...bad])
    expect(graphs[0]).toEqual((await built()).graph)
    expect(graphs[1]).toMatchObject({ edges: [], records: [], simulation: { queries: [] } })
    expect(failuresOf(graphs[1]!)).toBe(59)
    expect(graphs[1]?.isolatedIds.length).toBe(10)
    const index = await node2vec.index([...chunks, ...bad], models, node2vec.options.parse({}))
    expect(index.warnings?.()).toMatchObject({
      'simulated queries whose reply could not be read or was refused': 59,
    })
    await expect(built(models, bad)).rejects.toThrow('simulate-query: every reply')
  })
})

describe('the record graph', () => {
  test('traces a response to source chunks, also through other responses', async () => {
    const { graph } = await built()
    for (const [from, to] of graph.edges)
      for (const unit of graph.nodes[from]!.chunks) expect(graph.nodes[to]!.chunks).toContain(unit)
  })

  test('merges equal replies, and retains the edges of refusals', async () => {
    const { graph } = await built(playing({ 'answer-from-passages': () => 'The passages do not say.' }))
    expect(graph.nodes.filter(({ kind }) => kind === 'response').length).toBe(1)
    expect(graph.edges.length).toBeGreaterThan(3)
  })

  test("builds a document's graph independently of the rest of the corpus", async () => {
    const other = topics.map((topic, place) => chunk(`A ${topic} is old.`, place, 'e'))
    const { graphs } = await built(playing(), [...chunks, ...other])
    expect(graphs.map(({ units }) => units[0]?.documentId)).toEqual(['d', 'e'])
    expect(graphs[0]).toEqual((await built()).graph)
    expect((await built(playing(), [])).graphs).toEqual([])
  })

  test.each([
    ['The answer is not known.', true],
    ['The passages do not mention a mill.', true],
    ['It cannot be determined.', true],
    ['The mill was built in 1790.', false],
  ])('%s: a refusal: %s', (text, refused) => expect(isRefusal(text)).toBe(refused))
})

const search = (method: Method, options: object = {}, models = playing()) =>
  ask(method, chunks, { text: 'the ferry harbour answer', options, models, budget: { passages: 20, tokens: 4000 } })

describe('retrieval', () => {
  test('returns at most 6 passages, and no responses if disabled', async () => {
    expect((await search(graphOfRecords)).passages.length).toBe(6)
    const { passages: found } = await search(graphOfRecords, { responses: false })
    expect(found.length).toBe(6)
    expect(found.every(({ kind }) => kind === 'chunk')).toBe(true)
  })

  test('the drawing shows chunks, responses and simulated queries', async () => {
    const { graph } = await search(graphOfRecords)
    const { nodes, edges } = graph!
    expect(new Set(nodes.map(({ kind }) => kind))).toEqual(new Set(['chunk', 'response', 'simulated query']))
    expect(new Set(edges.map(({ kind }) => kind))).toEqual(new Set(['material of', 'answered by', 'asked about']))
    expect(edges.filter(({ kind }) => kind === 'answered by').length).toBe(30)
  })

  test('thought-r excludes refusals and responses similar to earlier ones', async () => {
    const { stats, passages: found } = await search(thoughtR, {})
    expect(found.length).toBe(6)
    expect(stats['thoughtsLeftOut']).toBeGreaterThan(0)
    const silent = await search(thoughtR, {}, playing({ 'answer-from-passages': () => 'It is not known.' }))
    expect(silent.passages.every(({ kind }) => kind === 'chunk')).toBe(true)
  })

  test('node2vec ranks neighbours of the nearest nodes, reproducibly', async () => {
    const { passages: found } = await search(node2vec, {})
    expect(found.length).toBe(6)
    expect(found[0]?.score).toBeGreaterThan(0.99)
    expect((await search(node2vec)).passages).toEqual(found)
  })
})

const trainConfig: TrainConfig = {
  direction: 'toResponse',
  duplicateSelfLoop: 'merge',
  tieRule: 'position',
  labels: 'cosine',
  contrastive: true,
  coe: 0.5,
  dropout: 0.2,
  attentionDropout: 0.1,
  epochs: 1,
  rate: 1e-3,
  batch: 1,
}
const facts = { embedder: null, trainConfig, seed: 1, graphs: 1, nodes: 9, queries: 3, lossCurve: [] }

describe('weights', () => {
  const network = freshNetwork(8, 2, 2, 3)
  const written = (text = formatWeights(network, facts)) => fileOf(text, 'w.json')

  test('survive writing and reading, to 32 bits', async () => {
    const read = await readWeights(written())
    expect(read.network).toEqual(unpackNetwork(packNetwork(network), 8, 2, 2))
    expect(read).toMatchObject(facts)
  })

  test.each([
    ['{}', 'no weights of graph-of-records: "mark" is missing'],
    ['[', 'cannot be read as JSON'],
    [formatWeights(network, facts).replace('"dim":8', '"dim":7'), '"params" must be the base64 of'],
    [formatWeights(network, facts).replace('"coe":0.5', '"coe":-1'), '"trainConfig.coe" must not be -1'],
  ])('rejects a malformed file in one line with its name: %#', async (text, why) => {
    const file = written(text)
    const error = await readWeights(file).catch((one: unknown) => one)
    expect(error).toMatchObject({ name: 'UserError', message: expect.stringContaining(why) as string })
    expect((error as Error).message).toMatch(new RegExp(`^${file}: [^\\n]*$`))
  })

  test('state the required embedder by options alone', async () => {
    const file = written()
    const options = graphOfRecords.options.parse({ gnn: 'trained', weights: file })
    expect(await graphOfRecords.requires!(options)).toEqual({ vectors: { file, dimensions: 8, embedder: null } })
    expect(await graphOfRecords.requires!(graphOfRecords.options.parse({}))).toEqual({})
  })

  test.each([
    [{ gnn: 'trained' }, 'weights'],
    [{ weights: 'w.json' }, 'gnn'],
  ])('rejects options %j', (given, path) =>
    expect(graphOfRecords.options.safeParse(given).error?.issues[0]?.path).toEqual([path]),
  )

  test("rank nodes by the network's outputs", async () => {
    const file = written()
    const models = () => playing({}, 8)
    const { stats, passages: found } = await search(graphOfRecords, { gnn: 'trained', weights: file }, models())
    const plain = await search(graphOfRecords, {}, models())
    expect(found.map(({ text }) => text)).not.toEqual(plain.passages.map(({ text }) => text))
    expect(stats).toMatchObject({ gnn: 'trained', dim: 8, heads: 2, direction: 'toResponse' })
    await expect(search(graphOfRecords, { gnn: 'trained', weights: file })).rejects.toThrow(
      'the vectors have 64 numbers',
    )
  })
})
