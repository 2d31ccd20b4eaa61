import { z } from 'zod'
import { defineMethod } from '../../define.ts'
import { skipGram } from '../../math/node2vec/skip-gram.ts'
import { biasedWalks } from '../../math/node2vec/walks.ts'
import { mulberry32, seedFrom } from '../../math/random.ts'
import { answerFromPassages } from '../../tasks/records/answer-from-passages.ts'
import { simulateQuery } from '../../tasks/records/simulate-query.ts'
import { build, recordGraphs, type BuiltGraph } from './build.ts'
import { recordCalls, recordCosts } from './costs.ts'
import { drawingOf } from './drawing.ts'
import { finder } from './finder.ts'
import { statsOf, warningsOf } from './index-stats.ts'
import { fitsOverlap, ofGraph, ofRetrieval, overlapRule, usualSeed } from './options.ts'
import { findableNodes, retriever } from './retrieval.ts'

const code = '(reference code of node2vec)'
const reading = '(our reading)'
const count = z.int().min(1)

const options = z
  .strictObject({
    ...ofGraph,
    ...ofRetrieval,
    anchors: count
      .default(6)
      .describe(
        `Nodes whose texts are nearest to the question: the mean of their vectors stands for it, since a question is no node ${reading}`,
      ),
    dimensions: count.default(64).describe(`Numbers of a vector: 128 ${code}; record graphs are small ${reading}`),
    walks: count.default(10).describe(`Random walks from each node ${code}`),
    walkLength: count.default(20).describe(`Nodes of a walk: 80 ${code}; record graphs are small ${reading}`),
    window: count
      .default(5)
      .describe(
        `Nodes of a walk on either side that are near, at most: 10 ${code}; record graphs are small ${reading}`,
      ),
    p: z.number().positive().default(1).describe(`How unlikely it is that a walk steps back ${code}`),
    q: z.number().positive().default(1).describe(`How unlikely it is that a walk steps away from where it was ${code}`),
    negatives: count.default(5).describe(`Nodes that are drawn as far away, for each that is near ${code}`),
    epochs: count.default(1).describe(`How often all walks are learnt from ${code}`),
    rate: z.number().positive().default(0.025).describe(`Learning rate at the beginning ${code}`),
  })
  .refine(fitsOverlap, overlapRule)

/** Node2Vec on the record graph: nodes are found by where they lie in it, from those whose texts are nearest to the question. */
export const node2vec = defineMethod({
  name: 'node2vec',
  summary:
    'The record graph of graph-of-records; random walks give its nodes vectors, and those near the nodes that resemble the question are found.',
  paper: 'Grover and Leskovec 2016, node2vec: Scalable Feature Learning for Networks (baseline of Graph of Records)',
  tasks: [simulateQuery, answerFromPassages],
  options,
  embedsChunks: ({ chunkTokens }) => chunkTokens === 'run',
  prepares: recordGraphs,
  costs: recordCosts,
  paperCalls: recordCalls,
  async index(chunks, models, options, prepared) {
    const graphs = prepared ?? (await build(chunks, models, options))
    const { topK, responses, similarity, anchors } = options
    const nodes = findableNodes(graphs, responses)
    const seed = options.seed ?? (nodes.length > 0 ? models.seed(usualSeed) : usualSeed)
    const { vectors, firsts } = placesIn(graphs, options, mulberry32(seedFrom(seed, 'node2vec')))
    const own = nodes.map(({ graph, id }) => vectors[(firsts[graph] ?? 0) + id] ?? new Float32Array())
    const byText = finder(
      nodes.map(({ vector }) => vector),
      similarity,
    )
    const byPlace = finder(own, 'cosine')
    return {
      limits: { passages: topK },
      retrieve: retriever(
        nodes,
        (query, most) => byPlace(meanOf(byText(query, anchors).flatMap(({ index }) => own[index] ?? [])), most),
        { topK, score: 'cosine' },
      ),
      graph: () => drawingOf(graphs),
      stats: () => statsOf(graphs),
      warnings: () => warningsOf(graphs, options),
    }
  },
})

/** The vectors of the nodes of all graphs, learnt together so that they can be compared, and where those of each graph begin. */
function placesIn(graphs: readonly BuiltGraph[], given: z.output<typeof options>, random: () => number) {
  const firsts: number[] = []
  const neighbours: Set<number>[] = []
  for (const { nodes, edges } of graphs) {
    const first = neighbours.length
    firsts.push(first)
    for (const _ of nodes) neighbours.push(new Set())
    for (const [from, to] of edges) {
      if (from === to) continue
      neighbours[first + from]?.add(first + to)
      neighbours[first + to]?.add(first + from)
    }
  }
  const { walks, walkLength: length, p, q } = given
  const walked = biasedWalks(neighbours, { walks, length, p, q }, random)
  return { vectors: skipGram(neighbours.length, walked, given, random), firsts }
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors)
    for (const [at, value] of vector.entries()) mean[at] = (mean[at] ?? 0) + value / vectors.length
  return mean
}
