import { defineMethod } from '../../define.ts'
import { answerFromPassages, simulateQuery } from '../../tasks/records.ts'
import type { IndexStats } from '../../types.ts'
import { build, recordGraphs } from './build.ts'
import { findableNodes, finder, recordIndex } from './retrieval.ts'
import { recordOptions } from './options.ts'
import { outputsOf, readWeights, type Weights } from './weights.ts'

/**
 * Graph of Records: a model asks and answers questions about a document before the real one comes; the answers become
 * nodes beside the chunks that they were made of, and both are found by questions. The answer prompt that all methods
 * share takes the place of its own.
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
  async index(chunks, models, options, prepared) {
    const weights = options.weights === null ? undefined : await readWeights(options.weights)
    const graphs = prepared ?? (await build(chunks, models))
    const nodes = findableNodes(graphs, options.responses)
    const outputs = weights && graphs.map((graph) => outputsOf(graph, weights))
    const vectors = nodes.map(({ graph, id, vector }) => outputs?.[graph]?.[id] ?? vector)
    return recordIndex(graphs, nodes, finder(vectors), { gnn: options.gnn, ...(weights && trainingOf(weights)) })
  },
})

/** What a reader of results needs to know of the weights. */
const trainingOf = ({ dim, heads, trainConfig, graphs, seed }: Weights): IndexStats => ({
  dim,
  heads,
  trainedOnGraphs: graphs,
  trainSeed: seed,
  ...trainConfig,
})
