import { groupsOf, subgraphs, type SparseGraph } from '../graph.ts'
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
  let level = add(0, -1, graph.nodes > 0 ? groupsOf(leiden(graph, options)) : [])
  while (level.length > 0) {
    level = level
      .filter(({ nodes }) => nodes.length > options.maxSize)
      .flatMap(({ number, level, nodes }) => {
        const piece = { ...pieceOf(nodes), nodes: nodes.length, directed: false }
        const groups = groupsOf(leiden(piece, options))
        const original = groups.map((group) => group.map((node) => nodes[node]!))
        return groups.length > 1 ? add(level + 1, number, original) : []
      })
  }
  return communities
}
