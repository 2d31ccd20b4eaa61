import type { SparseRows } from '../graph.ts'

/** The nodes of every connected part of a symmetric graph, rising, parts by their first node. */
export function connectedParts({ offsets, targets }: SparseRows): number[][] {
  const rows = offsets.length - 1
  const seen = new Uint8Array(rows)
  const parts: number[][] = []
  for (let first = 0; first < rows; first++) {
    if (seen[first]) continue
    const part = [first]
    seen[first] = 1
    for (let i = 0; i < part.length; i++) {
      for (let k = offsets[part[i]!]!; k < offsets[part[i]! + 1]!; k++) {
        if (seen[targets[k]!]) continue
        seen[targets[k]!] = 1
        part.push(targets[k]!)
      }
    }
    parts.push(part.sort((a, b) => a - b))
  }
  return parts
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
