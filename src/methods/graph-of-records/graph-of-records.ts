import { defineMethod } from '../../define.ts'
import { answerFromPassages, simulateQuery } from '../../tasks/records.ts'
import type { IndexStats } from '../../types.ts'
import { build, recordGraphs } from './build.ts'
import { findableNodes, finder, recordIndex } from './retrieval.ts'
import { recordOptions } from './options.ts'
import { outputsOf, readWeights, type Weights } from './weights.ts'

/**
 * Graph of Records: a model asks and answers questions about a document at indexing time; the answers become nodes
 * beside their source chunks, and retrieval ranks both. The shared answer prompt replaces its own.
 */
export const graphOfRecords = defineMethod({
  name: 'graph-of-records',
  // 2: scope is auto
  version: 2,
  summary:
    'A model answers simulated queries about a document; its responses become nodes of a graph beside the chunks, and questions find both.',
  paper:
    'Zhang et al. 2025, Graph of Records: Boosting Retrieval Augmented Generation for Long-context Summarization with Graphs (ulab-uiuc/GoR@47ac674)',
  tasks: [simulateQuery, answerFromPassages],
  options: recordOptions,
  async requires({ weights: file }) {
    if (file === null) return {}
    const { embedder, dim } = await readWeights(file)
    return { vectors: { file, dimensions: dim, embedder } }
  },
  prepares: recordGraphs,
  async index(chunks, models, options, sharedGraphs) {
    const weights = options.weights === null ? undefined : await readWeights(options.weights)
    const graphs = sharedGraphs ?? (await build(chunks, models))
    const nodes = findableNodes(graphs, options.responses)
    const outputs = weights && graphs.map((graph) => outputsOf(graph, weights))
    const vectors = nodes.map(({ graph, id, vector }) => outputs?.[graph]?.[id] ?? vector)
    return recordIndex(graphs, nodes, finder(vectors), { gnn: options.gnn, ...(weights && trainingOf(weights)) })
  },
})

/** Statistics of the weights' training. */
const trainingOf = ({ dim, heads, trainConfig, graphs, seed }: Weights): IndexStats => ({
  dim,
  heads,
  trainedOnGraphs: graphs,
  trainSeed: seed,
  ...trainConfig,
})
