import { connectedComponents } from '../connected-components.ts'
import type { SparseRows } from '../graph.ts'

/** The nodes of every connected component of a symmetric graph, rising, components by their first node. */
export function componentNodes(graph: SparseRows): number[][] {
  const nodes: number[][] = []
  connectedComponents(graph).forEach((component, node) => (nodes[component] ??= []).push(node))
  return nodes
}

/** The graph of some nodes that no edge leaves, numbered in their order. */
export function subgraph({ offsets, targets, weights }: SparseRows, nodes: readonly number[]): SparseRows {
  const numbers = new Map(nodes.map((node, i) => [node, i]))
  const starts = new Uint32Array(nodes.length + 1)
  const ends: number[] = []
  const kept: number[] = []
  for (const [i, node] of nodes.entries()) {
    for (let k = offsets[node]!; k < offsets[node + 1]!; k++) {
      ends.push(numbers.get(targets[k]!)!)
      kept.push(weights[k]!)
    }
    starts[i + 1] = ends.length
  }
  return { offsets: starts, targets: Uint32Array.from(ends), weights: Float64Array.from(kept) }
}
