import type { Graph } from '../../types.ts'
import type { BuiltGraph } from './build.ts'
import { nodeId, queryId } from './node-ids.ts'

/** Chunks, responses and simulated queries: materials lead to the response made of them, and a query to that and to the chunk that it was asked about. */
export function drawingOf(graphs: readonly BuiltGraph[]): Graph {
  const nodes: Graph['nodes'][number][] = []
  const edges: Graph['edges'][number][] = []
  for (const [number, { nodes: own, edges: ownEdges, records, units }] of graphs.entries()) {
    const first = nodes.length
    const group = number + 1
    for (const [id, { kind, text, chunks }] of own.entries())
      nodes.push({ id: nodeId(number, id), kind, text, group, data: { chunks: chunks.map((chunk) => chunk + 1) } })
    for (const [from, to] of ownEdges)
      edges.push({ from: first + from, to: first + to, weight: 1, kind: 'material of' })
    const places = new Map(own.map(({ text }, id) => [text, id]))
    for (const [place, { query, chunk, responseId }] of records.entries()) {
      const from = nodes.push({ id: queryId(number, place), kind: 'simulated query', text: query, group }) - 1
      edges.push({ from, to: first + responseId, weight: 1, kind: 'answered by' })
      const about = places.get(units[chunk]?.text ?? '')
      if (about !== undefined) edges.push({ from, to: first + about, weight: 1, kind: 'asked about' })
    }
  }
  return { nodes, edges, groups: graphs.map(({ units }) => units[0]?.docId ?? '') }
}
