import { ModelError } from '../../errors.ts'
import type { ScoredIndex } from '../../math/highest.ts'
import { normalise, topK as nearest } from '../../math/vectors.ts'
import type { Index, Passage, Graph, IndexStats } from '../../types.ts'
import { queryVector } from '../shared/embed.ts'
import { simulatedQueries, type BuiltGraph } from './build.ts'

/** Maximum passages of a context (ulab-uiuc/GoR@47ac674). */
const topK = 6

/** A node that retrieval ranks, with the position of its graph, its id there, and its passage. */
export type FindableNode = ReturnType<typeof findableNodes>[number]

/** The nodes of all graphs; without `responses` only chunks. */
export const findableNodes = (graphs: readonly BuiltGraph[], responses: boolean) =>
  graphs.flatMap((graph, number) =>
    graph.nodes.flatMap(({ kind, text, vector }, id) =>
      kind === 'chunk' || responses
        ? [{ kind, text, vector, graph: number, id, passage: passageOf(graph, number, id) }]
        : [],
    ),
  )

/** The index of record graphs: `find` ranks nodes for a question's vector. */
export const recordIndex = (
  graphs: readonly BuiltGraph[],
  nodes: readonly FindableNode[],
  find: (query: Float32Array, count: number) => readonly ScoredIndex[],
  stats: IndexStats = {},
): Index => ({
  limits: { passages: topK },
  async retrieve({ text }, budget, models) {
    if (nodes.length === 0) return []
    const near = find(await queryVector(text, models), Math.min(topK, budget.passages))
    return near.flatMap(({ index, score }) => {
      const { passage } = nodes[index] ?? {}
      return passage ? [{ ...passage, score, why: { ...passage.why, cosine: score } }] : []
    })
  },
  graph: () => drawingOf(graphs),
  stats: () => ({ ...statsOf(graphs), ...stats }),
  warnings: () => warningsOf(graphs),
})

function passageOf(graph: BuiltGraph, number: number, id: number): Omit<Passage, 'score'> {
  const { text = '', kind = 'chunk', chunks = [] } = graph.nodes[id] ?? {}
  const why = { nodes: [nodeId(number, id)] }
  const sources = chunks.flatMap((chunk) => graph.units[chunk] ?? [])
  const sourceIds = [...new Set(sources.map(({ id }) => id))]
  if (kind === 'response') return { text, from: sourceIds, kind: 'summary', why }
  return { text, from: sourceIds.slice(0, 1), kind, why }
}

/** Ranks vectors by cosine with a query, best first; ties by lower index. */
export function finder(vectors: readonly Float32Array[]) {
  const rows = vectors.map(normalise)
  return (query: Float32Array, count: number) => nearest(normalise(query), rows, count)
}

/** The id of a node in the drawing and in traces, counted from 1. */
const nodeId = (graph: number, node: number): string => `graph ${graph + 1} node ${node + 1}`

const queryId = (graph: number, query: number): string => `graph ${graph + 1} query ${query + 1}`

function drawingOf(graphs: readonly BuiltGraph[]): Graph {
  const nodes: Graph['nodes'][number][] = []
  const edges: Graph['edges'][number][] = []
  for (const [number, { nodes: graphNodes, edges: graphEdges, records, units }] of graphs.entries()) {
    const first = nodes.length
    const group = number + 1
    for (const [id, { kind, text, chunks }] of graphNodes.entries())
      nodes.push({ id: nodeId(number, id), kind, text, group, data: { chunks: chunks.map((chunk) => chunk + 1) } })
    for (const [from, to] of graphEdges)
      edges.push({ from: first + from, to: first + to, weight: 1, kind: 'material of' })
    const places = new Map(graphNodes.map(({ text }, id) => [text, id]))
    for (const [place, { query, chunk, responseId }] of records.entries()) {
      const from = nodes.push({ id: queryId(number, place), kind: 'simulated query', text: query, group }) - 1
      edges.push({ from, to: first + responseId, weight: 1, kind: 'answered by' })
      const about = places.get(units[chunk]?.text ?? '')
      if (about !== undefined) edges.push({ from, to: first + about, weight: 1, kind: 'asked about' })
    }
  }
  return { nodes, edges, groups: graphs.map(({ units }) => units[0]?.documentId ?? '') }
}

const total = (graphs: readonly BuiltGraph[], of: (graph: BuiltGraph) => number): number =>
  graphs.reduce((sum, graph) => sum + of(graph), 0)

const statsOf = (graphs: readonly BuiltGraph[]): IndexStats => ({
  recordGraphs: graphs.length,
  chunks: total(graphs, ({ units }) => units.length),
  simulatedQueries: total(graphs, ({ simulation }) => simulation.queries.length),
  responses: total(graphs, ({ nodes }) => nodes.filter(({ kind }) => kind === 'response').length),
  edges: total(graphs, ({ edges }) => edges.length),
})

const warningsOf = (graphs: readonly BuiltGraph[]): Readonly<Record<string, number>> => ({
  'record graphs of fewer than 3 chunks (set a smaller chunks.size)': graphs.filter(({ units }) => units.length < 3)
    .length,
  'simulated queries fewer than 30': total(graphs, ({ simulation }) =>
    Math.max(0, simulatedQueries - simulation.queries.length),
  ),
  'simulated queries whose reply could not be read or was refused': total(
    graphs,
    ({ simulation }) => simulation.attempts.filter((outcome) => outcome instanceof ModelError).length,
  ),
  'simulated queries without a response, because the reply could not be read or was refused': total(
    graphs,
    ({ unansweredQueries }) => unansweredQueries,
  ),
})
