import type { SparseGraph } from '../graph.ts'

/** The communities that a node has edges to: the first `count` of `met`, with the weight of those edges in `total`, which only they may read. */
export interface NeighbourWeights {
  readonly met: Uint32Array
  count: number
  readonly total: Float64Array
}

/**
 * Gives the weight of the edges from a node to each community among its neighbours, without its self-loop; the result is reused from node
 * to node. With `within`, only neighbours count that have the node's own number there.
 */
export function neighbourWeights({ nodes, offsets, targets, weights }: SparseGraph) {
  const found: NeighbourWeights = { met: new Uint32Array(nodes), count: 0, total: new Float64Array(nodes) }
  const { met, total } = found
  return (node: number, membership: Uint32Array, within?: Uint32Array): NeighbourWeights => {
    for (let k = 0; k < found.count; k++) total[met[k]!] = 0
    let count = 0
    const end = offsets[node + 1]!
    for (let k = offsets[node]!; k < end; k++) {
      const target = targets[k]!
      const weight = weights[k]!
      if (target === node || weight === 0 || (within !== undefined && within[target] !== within[node])) continue
      const community = membership[target]!
      if (total[community] === 0) met[count++] = community
      total[community]! += weight
    }
    found.count = count
    return found
  }
}
