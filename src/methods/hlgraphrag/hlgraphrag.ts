import { itemAt } from '../../basics/collections.ts'
import { defineMethod } from '../../define.ts'
import { topK, rowsToMatrix } from '../../math/vectors.ts'
import { groundingOf, groundingStats, groundingWarnings } from '../../tasks/grounding.ts'
import {
  listSubjects,
  relateSubjects,
  relateSubjectsBothWays,
  relateEvents,
  relateEventsBothWays,
  splitIdeas,
} from '../../tasks/hlgraphrag.ts'
import {
  contextOf,
  labelVectors,
  nearestFirst,
  depthFirst,
  type AssociationGraph,
  associationGraph,
} from './association-graph.ts'
import { graphOptions, hlGraphRagOptions, maxIdeas, nodesPerIdea, type GraphOptions } from './options.ts'
import type { Graph, Models, Chunk } from '../../types.ts'
import { type Extraction, extract } from './extract.ts'
import { ModelError } from '../../errors.ts'
import { attempt, lossOf } from '../shared/attempt.ts'

/** The graph that systems with the same graph options share, and the vectors of its nodes. */
export async function prepare(chunks: readonly Chunk[], models: Models, options: GraphOptions) {
  const extraction = await extract(chunks, models, options)
  const graph = associationGraph(extraction)
  const texts = graph.nodes.map(({ text }) => text)
  const vectors = texts.length > 0 ? await models.embed(texts, 'document') : []
  return { graph, vectors: rowsToMatrix(vectors), extraction }
}

/**
 * HLGraphRAG: a model lists the subjects and events of a text and their relations; a message is split into main ideas,
 * and for each a depth-first search from the nearest subject collects a few nodes. No code was released. The
 * location-aware memory that the paper's introduction names is not implemented: the paper does not describe it.
 */
export const hlgraphrag = defineMethod({
  name: 'hlgraphrag',
  summary:
    'A graph of subjects with labels on its edges; for each main idea of a question, a depth-first search from the nearest subject.',
  paper: 'Zeng 2025, HLGraphRAG: A Graph Retrieval Augmentation System for Human-like Synthesis of Information',
  tasks: [listSubjects, relateSubjects, relateSubjectsBothWays, relateEvents, relateEventsBothWays, splitIdeas],
  options: hlGraphRagOptions,
  prepares: { name: 'graph of hlgraphrag', options: graphOptions, make: prepare },
  async index(chunks, models, options, sharedGraph) {
    const { graph, vectors, extraction } = sharedGraph ?? (await prepare(chunks, models, options))
    const edgeVectors = options.rankedRetrieval ? await labelVectors(graph, models) : undefined
    return {
      async retrieve({ text }, budget, models) {
        if (graph.nodes.length === 0) return []
        const { ideas, fallback } = await ideasOf(text, models)
        const ideaVectors = await models.embed(ideas, 'query')
        const nodesByIdea = ideas.map((idea, place) => {
          const query = itemAt(ideaVectors, place)
          const { index, score } = itemAt(topK(query, vectors, 1), 0)
          const descend = edgeVectors && nearestFirst(graph, edgeVectors, query)
          const nodes = depthFirst(index, (node) => itemAt(graph.edges, node).keys(), nodesPerIdea, descend)
          return { idea, nodes, cosine: score }
        })
        return contextOf(graph, chunks, nodesByIdea, fallback).slice(0, budget.passages)
      },
      graph: () => drawingOf(graph),
      stats: () => groundingStats(extraction.grounding),
      warnings: () => warningsOf(extraction, options),
    }
  },
})

/** Subjects and directed edges; the weight of an edge is its number of labels. */
const drawingOf = ({ nodes, edges }: AssociationGraph): Graph => ({
  nodes: nodes.map(({ text, labels }, node) => {
    const relations = [...itemAt(edges, node)].flatMap(([to, edgeLabels]) =>
      Array.from(edgeLabels.keys(), (label) => `[${label}] ${itemAt(nodes, to).text}`),
    )
    const data = { relations, ...(labels.size > 0 && { labels: [...labels.keys()] }) }
    return { id: `subject ${node}`, kind: 'subject', text, data }
  }),
  edges: edges.flatMap((targets, from) =>
    Array.from(targets, ([to, { size }]) => ({ from, to, weight: size, kind: 'relation' })),
  ),
})

const warningsOf = (
  { losses, grounding }: Pick<Extraction, 'losses' | 'grounding'>,
  { relations, events }: GraphOptions,
): Readonly<Record<string, number>> => ({
  'extraction replies that could not be read or were refused': losses.replies,
  ...groundingWarnings(grounding),
  'chunks without a subject': losses.chunksWithoutSubject,
  'chunks without a relation or an event': relations || events ? losses.chunksWithoutAssociation : 0,
  'relations and events without an object or a meaning': losses.empty,
})

async function ideasOf(message: string, models: Models) {
  const reply = await attempt(models, splitIdeas, { message, most: maxIdeas })
  if (reply instanceof ModelError)
    return { ideas: [message], fallback: `the message as its only idea: the reply ${lossOf(reply)}` }
  // ideas may paraphrase the message: only copies of the prompt's example are dropped
  const keep = groundingOf('count').on(message)
  const validIdeas = keep(splitIdeas, reply, (idea) => ({ statements: [idea] }))
  const texts = validIdeas.map((idea) => idea.trim()).filter((idea) => idea !== '')
  const ideas = [...new Set(texts)].slice(0, maxIdeas)
  return ideas.length > 0 ? { ideas } : { ideas: [message], fallback: 'the message as its only idea: none was named' }
}
