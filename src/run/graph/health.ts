import { buildGraph, connectedComponents } from '../../math/graph.ts'
import type { Graph, GraphHealth } from '../../types.ts'

/** Measures a graph, in time nearly linear in its size. */
export function measureGraph({ nodes, edges, leftOut = 0 }: Graph): GraphHealth {
  const ends = { from: edges.map(({ from }) => from), to: edges.map(({ to }) => to), weight: edges.map(() => 1) }
  const { offsets, targets } = buildGraph(nodes.length, ends)
  const neighbours = nodes.map(
    (_, node) => targets.subarray(offsets[node], offsets[node + 1]).filter((to) => to !== node).length,
  )
  const sizes = new Map<number, number>()
  for (const component of connectedComponents({ offsets, targets }))
    sizes.set(component, (sizes.get(component) ?? 0) + 1)
  const isWhole = leftOut === 0
  return {
    nodes: nodes.length,
    edges: neighbours.reduce((sum, count) => sum + count, 0) / 2 + leftOut,
    components: isWhole ? sizes.size : null,
    largest: isWhole ? [...sizes.values()].reduce((most, size) => Math.max(most, size), 0) : null,
  }
}
