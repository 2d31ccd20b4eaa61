import { defineMethod } from '../../define.ts'
import { answerFromPassages } from '../../tasks/records/answer-from-passages.ts'
import { simulateQuery } from '../../tasks/records/simulate-query.ts'
import { build, recordGraphs } from './build.ts'
import { recordCosts } from './costs.ts'
import { drawingOf } from './drawing.ts'
import { statsOf, warningsOf } from './index-stats.ts'
import { recordOptions } from './options.ts'
import { retriever } from './retrieval.ts'

/**
 * Graph of Records: a model asks and answers questions about a document before the real one comes; the answers become nodes beside the
 * chunks that they were made of, and both are found by questions. The answer prompt that all methods share takes the place of its own.
 */
export const graphOfRecords = defineMethod({
  name: 'graph-of-records',
  summary:
    'A model answers simulated queries about a document; its responses become nodes of a graph beside the chunks, and questions find both.',
  paper:
    'Zhang et al. 2025, Graph of Records: Boosting Retrieval Augmented Generation for Long-context Summarization with Graphs (ulab-uiuc/GoR@47ac674)',
  tasks: [simulateQuery, answerFromPassages],
  options: recordOptions,
  embedsChunks: () => true,
  prepares: recordGraphs,
  costs: recordCosts,
  async index(chunks, models, options, prepared) {
    const graphs = prepared ?? (await build(chunks, models, options))
    return {
      limits: { passages: options.topK },
      retrieve: retriever(graphs, ({ nodes }) => nodes.map(({ vector }) => vector), options),
      graph: () => drawingOf(graphs),
      stats: () => statsOf(graphs),
      warnings: () => warningsOf(graphs, options),
    }
  },
})
