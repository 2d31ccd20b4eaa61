import type { SparseGraph } from '../graph.ts'

/**
 * Modularity Σ_c [L_c/m - γ·(d_c/2m)²] of a division, `membership` the community of each node and γ the resolution (Newman and
 * Girvan; Reichardt and Bornholdt). NaN without edges. Throws RangeError for a directed graph or a membership of another length.
 */
export function modularity(graph: SparseGraph, membership: ArrayLike<number>, resolution = 1): number {
  if (graph.directed) throw new RangeError('modularity is of undirected graphs')
  if (membership.length !== graph.nodes) throw new RangeError(`${membership.length} members for ${graph.nodes} nodes`)
  const degrees = new Map<number, number>()
  let inside = 0
  let all = 0
  for (let node = 0; node < graph.nodes; node++) {
    const community = membership[node]!
    for (let k = graph.offsets[node]!; k < graph.offsets[node + 1]!; k++) {
      if (membership[graph.targets[k]!] === community) inside += graph.weights[k]!
    }
    degrees.set(community, (degrees.get(community) ?? 0) + graph.degrees[node]!)
    all += graph.degrees[node]!
  }
  return inside / all - resolution * [...degrees.values()].reduce((total, degree) => total + (degree / all) ** 2, 0)
}
