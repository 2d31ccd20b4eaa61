import { defineMethod } from '../../define.ts'
import { topK, type Matrix, rowsToMatrix } from '../../math/vectors.ts'
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
  type Collected,
  contextOf,
  labelVectors,
  nearestFirst,
  depthFirst,
  type AssociationGraph,
  associationGraph,
} from './association-graph.ts'
import { graphOptions, hlGraphRagOptions, maxIdeas, nodesPerIdea, type GraphOptions } from './options.ts'
import type { Graph, Models, Chunk } from '../../types.ts'
import { type Extracted, extract } from './extract.ts'
import { ModelError } from '../../errors.ts'
import { attempt, lossOf } from '../shared/attempt.ts'

/** A graph ready to be searched. */
export interface Prepared {
  readonly graph: AssociationGraph
  /** Of the nodes. */
  readonly vectors: Matrix
  readonly extracted: Extracted
}

/** The graph with the vectors of its nodes: all that rows of the same graph share. */
export async function prepare(chunks: readonly Chunk[], models: Models, options: GraphOptions): Promise<Prepared> {
  const extracted = await extract(chunks, models, options)
  const graph = associationGraph(extracted)
  const texts = graph.nodes.map(({ text }) => text)
  return { graph, vectors: rowsToMatrix(texts.length > 0 ? await models.embed(texts, 'document') : []), extracted }
}

/**
 * HLGraphRAG: a model lists the subjects and events of a text and says what they have to do with each other; a message
 * is taken apart into main ideas, and for each a depth-first search from the nearest subject collects a few nodes. No
 * code was released.
 */
export const hlgraphrag = defineMethod({
  name: 'hlgraphrag',
  summary:
    'A graph of subjects with labels on its edges; for each main idea of a question, a depth-first search from the nearest subject.',
  paper: 'Zeng 2025, HLGraphRAG: A Graph Retrieval Augmentation System for Human-like Synthesis of Information',
  tasks: [listSubjects, relateSubjects, relateSubjectsBothWays, relateEvents, relateEventsBothWays, splitIdeas],
  options: hlGraphRagOptions,
  prepares: { name: 'graph of hlgraphrag', options: graphOptions, make: prepare },
  async index(chunks, models, options, prepared) {
    const { graph, vectors, extracted } = prepared ?? (await prepare(chunks, models, options))
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
          const nodes = depthFirst(start.index, (node) => graph.edges[node]?.keys() ?? [], nodesPerIdea, descend)
          return [{ idea, nodes, cosine: start.score }]
        })
        return contextOf(graph, chunks, collected, fallback).slice(0, budget.passages)
      },
      graph: () => drawn(graph),
      stats: () => ({
        nodes: graph.nodes.length,
        // a relation between two nodes has two
        edges: graph.edges.reduce((sum, { size }) => sum + size, 0),
        ...groundingStats(extracted.grounding),
      }),
      warnings: () => warnings(extracted, options),
    }
  },
})

/** Subjects and the directed edges between them, as heavy as they have labels; a node says which its labels are. */
function drawn({ nodes, edges }: AssociationGraph): Graph {
  return {
    nodes: nodes.map(({ text, labels }, node) => ({
      id: `subject ${node}`,
      kind: 'subject',
      text,
      data: {
        relations: Array.from(edges[node] ?? [], ([to, given]) =>
          Array.from(given.keys(), (label) => `[${label}] ${nodes[to]?.text ?? ''}`),
        ).flat(),
        ...(labels.size > 0 && { labels: [...labels.keys()] }),
      },
    })),
    edges: edges.flatMap((own, from) =>
      Array.from(own, ([to, { size }]) => ({ from, to, weight: size, kind: 'relation' })),
    ),
  }
}

/** What was lost, in words that end a note. */
const warnings = (
  { lost, grounding }: Pick<Extracted, 'lost' | 'grounding'>,
  { relations, events }: GraphOptions,
): Readonly<Record<string, number>> => ({
  'extraction replies that could not be read or were refused': lost.replies,
  ...groundingWarnings(grounding),
  'chunks without a subject': lost.chunksWithoutSubject,
  'chunks without a relation or an event': relations || events ? lost.chunksWithoutAssociation : 0,
  'relations and events without an object or a meaning': lost.empty,
  'relations of one object, kept as a label of its node': lost.oneObject,
  'relations and events with one label for both directions, because the reply gave no other': lost.oneWay,
})

/** The main ideas of a message; the message itself where a model gives none. */
async function ideasOf(
  message: string,
  most: number,
  models: Models,
): Promise<{ readonly ideas: readonly string[]; readonly fallback?: string }> {
  const reply = await attempt(models, splitIdeas, { message, most })
  if (reply instanceof ModelError)
    return { ideas: [message], fallback: `the message as its only idea: the reply ${lossOf(reply)}` }
  // ideas are in other words than the message: only those of the example are left out
  const told = groundingOf('count').on(message)(splitIdeas, reply, (idea) => ({ statements: [idea] }))
  const ideas = [...new Set(told.map((idea) => idea.trim()).filter((idea) => idea !== ''))].slice(0, most)
  return ideas.length > 0 ? { ideas } : { ideas: [message], fallback: 'the message as its only idea: none was named' }
}
