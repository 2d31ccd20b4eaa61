import { groupBy } from '../../basics/collections.ts'
import { hierarchicalLeiden, type HierarchyOptions } from '../../math/leiden/hierarchical-leiden.ts'
import { buildGraph, type SparseGraph, connectedComponents } from '../../math/graph.ts'
import { cleanName } from '../../tasks/graphrag-index.ts'
import type { Entity, Relationship } from './tables.ts'

/** A weighted undirected edge between two titles, the smaller first. */
type Edge = readonly [from: string, to: string, weight: number]

/** What is clustered: names ascending, the edges of one component ascending too, and the names that are left out. */
export interface Component {
  readonly names: readonly string[]
  readonly edges: readonly Edge[]
  readonly excluded: readonly string[]
}

/**
 * The undirected graph of relations (section 2.7): of rows with the same two ends the last one's weight counts; names
 * are normalised, and of rows that fall together by that the first counts. With `largestComponent` only that one, of
 * equal ones that whose node comes first, all sources before all targets.
 */
export function componentOf(
  rows: readonly Pick<Relationship, 'source' | 'target' | 'weight'>[],
  { largestComponent }: { readonly largestComponent: boolean },
): Component {
  const edges = normalised(collapsed(rows))
  const met = [...new Set([...edges.map(([from]) => from), ...edges.map(([, to]) => to)])]
  const names = largestComponent ? largest(met, edges) : met
  const kept = new Set(names)
  return {
    names: [...kept].sort(),
    edges: largestComponent ? edges.filter(([from]) => kept.has(from)).sort(byEnds) : edges,
    excluded: met.filter((name) => !kept.has(name)).sort(),
  }
}

/** The component as a graph whose nodes are the places of its names. Bad weights count as zero. */
export function graphOf({ names, edges }: Pick<Component, 'names' | 'edges'>): SparseGraph {
  const places = new Map(names.map((name, index) => [name, index]))
  const place = (name: string): number => {
    const found = places.get(name)
    if (found === undefined) throw new Error(`an edge names ${JSON.stringify(name)}, which is no node`)
    return found
  }
  return buildGraph(names.length, {
    from: edges.map(([from]) => place(from)),
    to: edges.map(([, to]) => place(to)),
    weight: edges.map(([, , weight]) => (Number.isFinite(weight) ? Math.max(0, weight) : 0)),
  })
}

function collapsed(rows: readonly Pick<Relationship, 'source' | 'target' | 'weight'>[]): readonly Edge[] {
  const found = new Map<string, Edge>()
  for (const { source, target, weight } of rows) {
    const ends = ordered(source, target)
    const key = JSON.stringify(ends)
    // the row that counts also gives the place
    found.delete(key)
    found.set(key, [...ends, weight])
  }
  return [...found.values()]
}

function normalised(edges: readonly Edge[]): readonly Edge[] {
  const found = new Map<string, Edge>()
  for (const [a, b, weight] of edges) {
    const ends = ordered(cleanName(a), cleanName(b))
    const key = JSON.stringify(ends)
    if (!found.has(key)) found.set(key, [...ends, weight])
  }
  return [...found.values()]
}

const ordered = (a: string, b: string): readonly [string, string] => (a < b ? [a, b] : [b, a])

function largest(names: readonly string[], edges: readonly Edge[]): readonly string[] {
  const joins = edges.map(([from, to]): Edge => [from, to, 1])
  const components = connectedComponents(graphOf({ names, edges: joins }))
  const sizes: number[] = []
  for (const component of components) sizes[component] = (sizes[component] ?? 0) + 1
  const best = sizes.indexOf(sizes.reduce((most, size) => Math.max(most, size), 0))
  return names.filter((_, place) => components[place] === best)
}

const byEnds = (a: Edge, b: Edge): number => (a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]) ? -1 : 1)

/** A community as clustering gives it: the titles of its nodes, in order. */
export interface Cluster {
  readonly id: number
  readonly level: number
  readonly parent: number
  readonly titles: readonly string[]
}

/** Hierarchical Leiden with one iteration, resolution 1 and randomness 0.001 over a component (section 2.7). */
export const cluster = (
  component: Component,
  options: Pick<HierarchyOptions, 'maxSize' | 'random'>,
): readonly Cluster[] =>
  hierarchicalLeiden(graphOf(component), { iterations: 1, ...options }).map(({ number, level, parent, nodes }) => ({
    id: number,
    level,
    parent,
    titles: Array.from(nodes).flatMap((node) => component.names[node] ?? []),
  }))

/**
 * The table of communities (section 2.7). Relationships of a community have both ends inside, and its text units are
 * theirs; one without an inner relationship disappears, also from the children of its parent. Titles without an entity
 * row are no members.
 */
export function communityRows(
  clusters: readonly Cluster[],
  entities: readonly Pick<Entity, 'id' | 'title'>[],
  relationships: readonly Pick<Relationship, 'id' | 'source' | 'target' | 'textUnitIds'>[],
) {
  const idOf = new Map(entities.map(({ id, title }) => [title, id]))
  const innerOf = relationshipsInside(clusters, relationships)
  const rows = clusters.flatMap(({ id, level, parent, titles }) => {
    const inner = innerOf.get(id)
    if (!inner) return []
    const entityIds = titles.flatMap((title) => idOf.get(title) ?? [])
    return {
      id,
      level,
      parent,
      title: `Community ${id}`,
      entityIds,
      size: entityIds.length,
      relationshipIds: ascending(inner.map((relationship) => relationship.id)),
      textUnitIds: ascending(inner.flatMap(({ textUnitIds }) => textUnitIds)),
    }
  })
  const childrenOf = groupBy(rows, ({ parent }) => parent)
  return rows.map((row) => ({ ...row, children: (childrenOf.get(row.id) ?? []).map(({ id }) => id) }))
}

/** The relationships with both ends in a cluster, by its id; of one level a title is in one cluster. */
function relationshipsInside<R extends Pick<Relationship, 'source' | 'target'>>(
  clusters: readonly Cluster[],
  relationships: readonly R[],
): ReadonlyMap<number, readonly R[]> {
  const inside = Array.from(
    groupBy(clusters, ({ level }) => level).values(),
    (level) => new Map(level.flatMap(({ id, titles }) => titles.map((title) => [title, id] as const))),
  ).flatMap((clusterOf) =>
    relationships.flatMap((relationship) => {
      const id = clusterOf.get(relationship.source)
      return id !== undefined && id === clusterOf.get(relationship.target) ? { id, relationship } : []
    }),
  )
  return new Map(
    Array.from(
      groupBy(inside, ({ id }) => id),
      ([id, found]) => [id, found.map(({ relationship }) => relationship)],
    ),
  )
}

const ascending = (numbers: readonly number[]): readonly number[] => [...new Set(numbers)].sort((a, b) => a - b)
