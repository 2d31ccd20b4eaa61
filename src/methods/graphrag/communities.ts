import { countEach, groupBy, valueOf } from '../../basics/collections.ts'
import { hierarchicalLeiden, type HierarchyOptions } from '../../math/leiden/hierarchical-leiden.ts'
import { buildGraph, type SparseGraph, connectedComponents } from '../../math/graph.ts'
import { cleanName } from '../../tasks/graphrag-index.ts'
import type { Entity, Relationship } from './tables.ts'

/** A weighted undirected edge between two titles, the smaller first. */
type Edge = readonly [from: string, to: string, weight: number]

/** The input of clustering: names ascending, the edges of one component ascending, and the names outside it. */
export interface Component {
  readonly names: readonly string[]
  readonly edges: readonly Edge[]
  readonly excludedNames: readonly string[]
}

/**
 * The undirected graph of relations (section 2.7). Of rows with the same two ends the last weight counts; of those that
 * collide once names are normalised, the first. Of equal components the one whose node comes first is the largest.
 */
export function componentOf(
  rows: readonly Pick<Relationship, 'source' | 'target' | 'weight'>[],
  { largestComponent = true } = {},
): Component {
  const undirectedEdges = distinctEdges(
    rows.map(({ source, target, weight }) => [source, target, weight]),
    'last',
  )
  const edges = distinctEdges(
    undirectedEdges.map(([from, to, weight]) => [cleanName(from), cleanName(to), weight]),
    'first',
  )
  const all = [...new Set([...edges.map(([from]) => from), ...edges.map(([, to]) => to)])]
  if (!largestComponent) return { names: all.sort(), edges, excludedNames: [] }
  const names = new Set(largestComponentOf(all, edges))
  return {
    names: [...names].sort(),
    edges: edges.filter(([from]) => names.has(from)).sort(byEnds),
    excludedNames: all.filter((name) => !names.has(name)).sort(),
  }
}

/** Deduplicates edges with the same two ends: the first, or the last with its weight and position. */
function distinctEdges(edges: readonly Edge[], occurrence: 'first' | 'last'): readonly Edge[] {
  const distinct = new Map<string, Edge>()
  for (const [a, b, weight] of edges) {
    const ends = a < b ? ([a, b] as const) : ([b, a] as const)
    const key = JSON.stringify(ends)
    if (occurrence === 'last') distinct.delete(key)
    if (!distinct.has(key)) distinct.set(key, [...ends, weight])
  }
  return [...distinct.values()]
}

function largestComponentOf(names: readonly string[], edges: readonly Edge[]): readonly string[] {
  const joins = edges.map(([from, to]): Edge => [from, to, 1])
  const components = connectedComponents(graphOf({ names, edges: joins }))
  const counts = [...countEach(components)]
  const [best] = counts.reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])
  return names.filter((_, place) => components[place] === best)
}

function byEnds(a: Edge, b: Edge): number {
  if (a[0] === b[0]) return a[1] < b[1] ? -1 : 1
  return a[0] < b[0] ? -1 : 1
}

/** The component as a graph: node i is name i. Negative weights and non-numbers count as zero. */
export function graphOf({ names, edges }: Pick<Component, 'names' | 'edges'>): SparseGraph {
  const places = new Map(names.map((name, index) => [name, index]))
  return buildGraph(names.length, {
    from: edges.map(([from]) => valueOf(places, from)),
    to: edges.map(([, to]) => valueOf(places, to)),
    weight: edges.map(([, , weight]) => (Number.isFinite(weight) ? Math.max(0, weight) : 0)),
  })
}

/** A community as clustering returns it: the titles of its nodes, in order. */
export interface Cluster {
  readonly id: number
  readonly level: number
  readonly parent: number
  readonly titles: readonly string[]
}

/** Hierarchical Leiden with one iteration, resolution 1 and randomness 0.001 over a component (section 2.7). */
export function cluster(
  component: Component,
  options: Pick<HierarchyOptions, 'maxSize' | 'random'>,
): readonly Cluster[] {
  const clusters = hierarchicalLeiden(graphOf(component), { iterations: 1, ...options })
  return clusters.map(({ number, level, parent, nodes }) => ({
    id: number,
    level,
    parent,
    titles: Array.from(nodes).flatMap((node) => component.names[node] ?? []),
  }))
}

/**
 * The table of communities (section 2.7). Relationships of a community have both ends inside; its text units are
 * theirs. A community without any is dropped, also from the children of its parent.
 */
export function communityRows(
  clusters: readonly Cluster[],
  entities: readonly Pick<Entity, 'id' | 'title'>[],
  relationships: readonly Pick<Relationship, 'id' | 'source' | 'target' | 'textUnitIds'>[],
) {
  const idOf = new Map(entities.map(({ id, title }) => [title, id]))
  const levels = [...groupBy(clusters, ({ level }) => level).values()]
  // within a level, a title is in one cluster
  const innerOf = new Map(levels.flatMap((level) => [...relationshipsInside(level, relationships)]))
  const rows = clusters.flatMap(({ id, level, parent, titles }) => {
    const inner = innerOf.get(id)
    if (!inner) return []
    return {
      id,
      level,
      parent,
      entityIds: titles.flatMap((title) => idOf.get(title) ?? []),
      relationshipIds: ascending(inner.map((relationship) => relationship.id)),
      textUnitIds: ascending(inner.flatMap(({ textUnitIds }) => textUnitIds)),
    }
  })
  const childrenOf = groupBy(rows, ({ parent }) => parent)
  return rows.map((row) => {
    const children = childrenOf.get(row.id) ?? []
    return { ...row, children: children.map(({ id }) => id) }
  })
}

function relationshipsInside<R extends Pick<Relationship, 'source' | 'target'>>(
  level: readonly Cluster[],
  relationships: readonly R[],
) {
  const members = level.flatMap(({ id, titles }) => titles.map((title) => [title, id] as const))
  const clusterOf = new Map(members)
  return groupBy(relationships, ({ source, target }) => {
    const id = clusterOf.get(source)
    return id === clusterOf.get(target) ? id : undefined
  })
}

const ascending = (numbers: readonly number[]): readonly number[] => [...new Set(numbers)].sort((a, b) => a - b)
