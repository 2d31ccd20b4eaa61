import { defineMethod } from '../../define.ts'
import { answerFromPassages, simulateQuery } from '../../tasks/records.ts'
import type { IndexStats } from '../../types.ts'
import { build, recordGraphs } from './build.ts'
import { findableNodes, finder, recordIndex } from './retrieval.ts'
import { outputsOf, readWeights, type Weights } from './weights.ts'
import { z } from 'zod'
import { choice, flag, optionalFile } from '../shared/options.ts'

const recordOptions = z
  .strictObject({
    gnn: choice(
      ['none', 'trained'],
      'none: nodes are found by the vectors of their texts (ablation of the paper); trained: by the outputs of a trained network (paper)',
    ),
    weights: optionalFile(
      'File that `gembench train` wrote, relative to the config; vary it to compare several trainings',
    ),
    responses: flag('Whether responses are passages; false: chunks alone (ablation of the paper)', true),
  })
  .refine(({ gnn, weights }) => gnn === 'none' || weights !== null, {
    path: ['weights'],
    error:
      'must name the file of the trained weights where gnn is trained: write one with gembench train, or set gnn: none',
  })
  .refine(({ gnn, weights }) => gnn === 'trained' || weights === null, {
    path: ['gnn'],
    error: 'must be trained where weights are given',
  })

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

const trainingOf = ({ dim, heads, trainConfig, graphs, seed }: Weights): IndexStats => ({
  dim,
  heads,
  trainedOnGraphs: graphs,
  trainSeed: seed,
  ...trainConfig,
})
