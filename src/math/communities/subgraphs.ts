import type { SparseGraph } from '../graph.ts'

/** Gives the part of a graph between some of its nodes, which come in ascending order and are numbered from 0 there. */
export function subgraphs({ nodes: count, offsets, targets, weights, directed }: SparseGraph) {
  const numbers = new Int32Array(count).fill(-1)
  return (nodes: Uint32Array): SparseGraph => {
    nodes.forEach((node, number) => (numbers[node] = number))
    const entries = nodes.reduce((sum, node) => sum + offsets[node + 1]! - offsets[node]!, 0)
    const inner = {
      offsets: new Uint32Array(nodes.length + 1),
      targets: new Uint32Array(entries),
      weights: new Float64Array(entries),
    }
    const degrees = new Float64Array(nodes.length)
    let next = 0
    for (const [number, node] of nodes.entries()) {
      for (let k = offsets[node]!; k < offsets[node + 1]!; k++) {
        const target = numbers[targets[k]!]!
        if (target < 0) continue
        inner.targets[next] = target
        inner.weights[next++] = weights[k]!
        degrees[number]! += weights[k]!
      }
      inner.offsets[number + 1] = next
    }
    for (const node of nodes) numbers[node] = -1
    return {
      nodes: nodes.length,
      directed,
      offsets: inner.offsets,
      targets: inner.targets.subarray(0, next),
      weights: inner.weights.subarray(0, next),
      degrees,
    }
  }
}
