import type { SparseGraph } from '../graph.ts'

/** A division whose communities are cut into their connected parts, numbered in the order in which they are met. */
export function connectedParts(graph: SparseGraph, membership: ArrayLike<number>): Uint32Array {
  const { nodes, offsets, targets, weights } = graph
  const unseen = nodes
  const parts = new Uint32Array(nodes).fill(unseen)
  let count = 0
  for (let first = 0; first < nodes; first++) {
    if (parts[first] !== unseen) continue
    const reached = [first]
    parts[first] = count
    for (let node = reached.pop(); node !== undefined; node = reached.pop()) {
      for (let k = offsets[node]!; k < offsets[node + 1]!; k++) {
        const target = targets[k]!
        if (parts[target] !== unseen || membership[target] !== membership[node] || weights[k] === 0) continue
        parts[target] = count
        reached.push(target)
      }
    }
    count++
  }
  return parts
}
