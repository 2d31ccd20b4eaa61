import { itemAt } from '../../basics/collections.ts'
import { z } from 'zod'
import { defineMethod } from '../../define.ts'
import { skipGram, biasedWalks } from '../../math/node2vec.ts'
import { mulberry32, seedFrom } from '../../math/random.ts'
import { answerFromPassages, simulateQuery } from '../../tasks/records.ts'
import { build, recordGraphs, usualSeed, type BuiltGraph } from './build.ts'
import { findableNodes, finder, recordIndex } from './retrieval.ts'

/** Nodes nearest to the question, whose mean vector stands for it: a question is no node (our reading). */
const anchors = 6

/**
 * Random walks from each node, with p and q of the reference code; its walks have 80 nodes, but record graphs are small
 * (our reading).
 */
const walking = { walks: 10, length: 20, p: 1, q: 1 }

/**
 * Numbers of a vector and nodes on either side that are near (128 and 10 in the reference code; record graphs are
 * small, our reading); nodes drawn as far away for each near one, passes over all walks, and the first learning rate
 * (reference code).
 */
const learning = { dimensions: 64, window: 5, negatives: 5, epochs: 1, rate: 0.025 }

/** Node2Vec on the record graph: nodes are found by where they lie, from those with the nearest texts. */
export const node2vec = defineMethod({
  name: 'node2vec',
  summary:
    'The record graph of graph-of-records; random walks give its nodes vectors, and those near the nodes that resemble the question are found.',
  paper: 'Grover and Leskovec 2016, node2vec: Scalable Feature Learning for Networks (baseline of Graph of Records)',
  tasks: [simulateQuery, answerFromPassages],
  options: z.strictObject({}),
  prepares: recordGraphs,
  async index(chunks, models, _options, prepared) {
    const graphs = prepared ?? (await build(chunks, models))
    const nodes = findableNodes(graphs, true)
    const seed = nodes.length > 0 ? models.seed(usualSeed) : usualSeed
    const { vectors, firsts } = placesIn(graphs, mulberry32(seedFrom(seed, 'node2vec')))
    const own = nodes.map(({ graph, id }) => vectors[(firsts[graph] ?? 0) + id] ?? new Float32Array())
    const byText = finder(nodes.map(({ vector }) => vector))
    const byPlace = finder(own)
    return recordIndex(graphs, nodes, (query, most) =>
      byPlace(meanOf(byText(query, anchors).flatMap(({ index }) => own[index] ?? [])), most),
    )
  },
})

/** The vectors of the nodes of all graphs, learnt together to be comparable, and where each graph begins. */
function placesIn(graphs: readonly BuiltGraph[], random: () => number) {
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
  const walked = biasedWalks(neighbours, walking, random)
  return { vectors: skipGram(neighbours.length, walked, learning, random), firsts }
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors)
    for (const [at, value] of vector.entries()) mean[at] = itemAt(mean, at) + value / vectors.length
  return mean
}
