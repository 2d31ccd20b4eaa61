import { itemAt } from '../../basics/collections.ts'
import { z } from 'zod'
import { defineMethod } from '../../define.ts'
import { skipGram, randomWalks } from '../../math/node2vec.ts'
import { mulberry32, seedFrom } from '../../math/random.ts'
import { answerFromPassages, simulateQuery } from '../../tasks/records.ts'
import { build, recordGraphs, defaultSeed, type BuiltGraph } from './build.ts'
import { findableNodes, finder, recordIndex } from './retrieval.ts'

/** Number of nodes nearest to the question; their mean vector represents it (our reading). */
const anchors = 6

/** Random walks from each node; those of the reference code have 80 nodes: record graphs are small (our reading). */
const walkOptions = { walks: 10, length: 20 }

/**
 * Skip-gram: dimensions and window (128 and 10 in the reference code; record graphs are small, our reading); negatives
 * per positive, epochs and initial learning rate (reference code).
 */
const trainingOptions = { dimensions: 64, window: 5, negatives: 5, epochs: 1, rate: 0.025 }

/** Node2Vec on the record graph: ranks nodes by structure, starting from those with the nearest texts. */
export const node2vec = defineMethod({
  name: 'node2vec',
  summary:
    'The record graph of graph-of-records; random walks give its nodes vectors, and those near the nodes that resemble the question are found.',
  paper: 'Grover and Leskovec 2016, node2vec: Scalable Feature Learning for Networks (baseline of Graph of Records)',
  tasks: [simulateQuery, answerFromPassages],
  options: z.strictObject({}),
  prepares: recordGraphs,
  async index(chunks, models, _options, sharedGraphs) {
    const graphs = sharedGraphs ?? (await build(chunks, models))
    const nodes = findableNodes(graphs, true)
    const seed = nodes.length > 0 ? models.seed(defaultSeed) : defaultSeed
    const { vectors, firsts: offsets } = embedNodes(graphs, mulberry32(seedFrom(seed, 'node2vec')))
    const placeVectors = nodes.map(({ graph, id }) => {
      const offset = offsets[graph] ?? 0
      return vectors[offset + id] ?? new Float32Array()
    })
    const byText = finder(nodes.map(({ vector }) => vector))
    const byPlace = finder(placeVectors)
    return recordIndex(graphs, nodes, (query, most) => {
      const near = byText(query, anchors)
      const anchorVectors = near.flatMap(({ index }) => placeVectors[index] ?? [])
      return byPlace(meanOf(anchorVectors), most)
    })
  },
})

/** Node vectors of all graphs, trained together to be comparable, and the offset of each graph. */
function embedNodes(graphs: readonly BuiltGraph[], random: () => number) {
  const offsets: number[] = []
  const neighbours: Set<number>[] = []
  for (const { nodes, edges } of graphs) {
    const first = neighbours.length
    offsets.push(first)
    for (const _ of nodes) neighbours.push(new Set())
    for (const [from, to] of edges) {
      if (from === to) continue
      neighbours[first + from]?.add(first + to)
      neighbours[first + to]?.add(first + from)
    }
  }
  const walks = randomWalks(neighbours, walkOptions, random)
  return { vectors: skipGram(neighbours.length, walks, trainingOptions, random), firsts: offsets }
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors)
    for (const [at, value] of vector.entries()) mean[at] = itemAt(mean, at) + value / vectors.length
  return mean
}
