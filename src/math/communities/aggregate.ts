import { buildGraph, type SparseGraph } from '../graph.ts'

/** The graph whose nodes are the `count` parts of another: edges between parts add up, those within become self-loops. */
export function aggregate({ nodes, offsets, targets, weights }: SparseGraph, parts: Uint32Array, count: number) {
  const edges = { from: new Array<number>(), to: new Array<number>(), weight: new Array<number>() }
  for (let node = 0; node < nodes; node++) {
    for (let k = offsets[node]!; k < offsets[node + 1]!; k++) {
      const target = targets[k]!
      if (target < node) continue
      edges.from.push(parts[node]!)
      edges.to.push(parts[target]!)
      // a self-loop already stands there twice
      edges.weight.push(target === node ? weights[k]! / 2 : weights[k]!)
    }
  }
  return buildGraph(count, edges)
}
