import { defineMethod } from '../../define.ts'
import { topK } from '../../math/vectors.ts'
import {
  listSubjects,
  relateSubjects,
  relateSubjectsBothWays,
  relateEvents,
  splitIdeas,
} from '../../tasks/hlgraphrag.ts'
import { type Collected, contextOf } from './context.ts'
import { hlGraphRagCosts } from './costs.ts'
import { drawn } from './drawing.ts'
import { ideasOf } from './ideas.ts'
import { formerOptions, graphOptions, hlGraphRagOptions, maxIdeas } from './options.ts'
import { prepare } from './prepare.ts'
import { labelVectors, nearestFirst } from './ranked.ts'
import { stats, warnings } from './stats.ts'
import { depthFirst } from './walk.ts'

/**
 * HLGraphRAG: a model lists the subjects and events of a text and says what they have to do with each other; a message is taken apart into
 * main ideas, and for each a depth-first search from the nearest subject collects a few nodes. No code was released.
 */
export const hlgraphrag = defineMethod({
  name: 'hlgraphrag',
  summary:
    'A graph of subjects with labels on its edges; for each main idea of a question, a depth-first search from the nearest subject.',
  paper: 'Zeng 2025, HLGraphRAG: A Graph Retrieval Augmentation System for Human-like Synthesis of Information',
  tasks: [listSubjects, relateSubjects, relateSubjectsBothWays, relateEvents, splitIdeas],
  options: hlGraphRagOptions,
  former: formerOptions,
  embedsChunks: () => false,
  prepares: { name: 'graph of hlgraphrag', options: graphOptions, make: prepare },
  costs: hlGraphRagCosts,
  paperCalls: { formula: '3 a chunk', count: (chunks) => 3 * chunks },
  async index(chunks, models, options, prepared) {
    const { graph, vectors, extracted, merged } = prepared ?? (await prepare(chunks, models, options))
    const near = options.rankedRetrieval ? await labelVectors(graph, models) : undefined
    return {
      async retrieve({ text }, budget, models) {
        if (graph.nodes.length === 0) return []
        const { ideas, fallback } = await ideasOf(text, maxIdeas, models)
        const asked = await models.embed(ideas, 'query')
        const collected = ideas.flatMap((idea, place): Collected[] => {
          const query = asked[place]
          const [start] = query ? topK(query, vectors, 1) : []
          if (!start || !query) throw new Error('the embedding model returned no vector for an idea')
          const descend = near && nearestFirst(graph, near, query)
          const nodes = depthFirst(
            start.index,
            (node) => graph.edges[node]?.keys() ?? [],
            options.nodesPerIdea,
            descend,
          )
          return [{ idea, nodes, cosine: start.score }]
        })
        return contextOf(graph, chunks, collected, fallback).slice(0, budget.passages)
      },
      graph: () => drawn(graph),
      stats: () => stats(graph, extracted, merged),
      warnings: () => warnings(extracted, options),
    }
  },
})
