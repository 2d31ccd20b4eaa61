import type { SparseGraph } from '../graph.ts'
import { leiden, type LeidenOptions } from './leiden.ts'

/**
 * A community of a hierarchy. Numbers continue over the levels; `parent` is the community it was split from, -1 at
 * level 0.
 */
interface NestedCommunity {
  readonly number: number
  readonly level: number
  readonly parent: number
  /** Node numbers, ascending. */
  readonly nodes: Uint32Array
}

export interface HierarchyOptions extends LeidenOptions {
  /** A community with more nodes is split again, as a graph of its own. */
  readonly maxSize: number
}

/**
 * Communities within communities: Leiden on the graph, then on every community that is too large, as its own subgraph
 * with its own modularity. A community that Leiden does not split stays, so a level holds only what was split. Ordered
 * by level, then first node. Throws RangeError for a directed graph.
 */
export function hierarchicalLeiden(graph: SparseGraph, options: HierarchyOptions): readonly NestedCommunity[] {
  const communities: NestedCommunity[] = []
  const pieceOf = subgraphs(graph)
  const add = (level: number, parent: number, groups: readonly Uint32Array[]) =>
    groups.map((nodes) => {
      const community = { number: communities.length, level, parent, nodes }
      communities.push(community)
      return community
    })
  const all = Uint32Array.from(graph.degrees.keys())
  let level = add(0, -1, graph.nodes > 0 ? groupsOf(leiden(graph, options), all) : [])
  while (level.length > 0) {
    level = level
      .filter(({ nodes }) => nodes.length > options.maxSize)
      .flatMap(({ number, level, nodes }) => {
        const groups = groupsOf(leiden(pieceOf(nodes), options), nodes)
        return groups.length > 1 ? add(level + 1, number, groups) : []
      })
  }
  return communities
}

/** The nodes of each community, by its number. */
function groupsOf(membership: Uint32Array, nodes: Uint32Array): readonly Uint32Array[] {
  const sizes: number[] = []
  for (const community of membership) sizes[community] = (sizes[community] ?? 0) + 1
  const groups = sizes.map((size) => new Uint32Array(size))
  const next = new Uint32Array(groups.length)
  membership.forEach((community, place) => (groups[community]![next[community]!++] = nodes[place]!))
  return groups
}

/** Gives induced subgraphs: nodes in ascending order, renumbered from 0. */
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
