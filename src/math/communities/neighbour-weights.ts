import type { SparseGraph } from '../graph.ts'

/** The weight of the edges from a node to each community among its neighbours, without its self-loop; reused from node to node. */
export function neighbourWeights({ nodes, offsets, targets, weights }: SparseGraph) {
  const total = new Float64Array(nodes)
  const met: number[] = []
  return (node: number, membership: Uint32Array, counts: (target: number) => boolean = () => true) => {
    for (const community of met) total[community] = 0
    met.length = 0
    for (let k = offsets[node]!; k < offsets[node + 1]!; k++) {
      const target = targets[k]!
      if (target === node || weights[k] === 0 || !counts(target)) continue
      const community = membership[target]!
      if (total[community] === 0) met.push(community)
      total[community]! += weights[k]!
    }
    return { met, total }
  }
}
