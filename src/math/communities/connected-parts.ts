import { connectedComponents } from '../connected-components.ts'
import type { SparseGraph } from '../graph.ts'

/** A division whose communities are cut into their connected parts, numbered in the order in which they are met. */
export const connectedParts = (graph: SparseGraph, membership: ArrayLike<number>): Uint32Array => {
  const { targets, weights } = graph
  return connectedComponents(graph, (node, k) => membership[targets[k]!] === membership[node] && weights[k] !== 0)
}
