import { connectedComponents, buildGraph, type SparseGraph } from '../../../math/graph.ts'
import { cleanName } from '../../../tasks/graphrag/graph-records.ts'

/** A weighted undirected edge between two titles, the smaller first. */
export type Edge = readonly [from: string, to: string, weight: number]

/** What is clustered: names ascending, the edges of one component ascending too, and the names that are left out. */
export interface Component {
  readonly names: readonly string[]
  readonly edges: readonly Edge[]
  readonly excluded: readonly string[]
}

/**
 * The undirected graph of relations (section 2.7): of rows with the same two ends the last one's weight counts, or the sum; names are
 * normalised, and of rows that fall together by that the first counts. With `lcc` only its largest connected component, of equal ones
 * that whose node comes first, all sources before all targets.
 */
export function componentOf(
  rows: readonly { readonly source: string; readonly target: string; readonly weight: number }[],
  { collapse, lcc }: { readonly collapse: 'last' | 'sum'; readonly lcc: boolean },
): Component {
  const edges = normalised(collapsed(rows, collapse))
  const met = [...new Set([...edges.map(([from]) => from), ...edges.map(([, to]) => to)])]
  const names = lcc ? largest(met, edges) : met
  const kept = new Set(names)
  return {
    names: [...kept].sort(),
    edges: lcc ? edges.filter(([from]) => kept.has(from)).sort(byEnds) : edges,
    excluded: met.filter((name) => !kept.has(name)).sort(),
  }
}

/** The component as a graph whose nodes are the places of its names. Weights below zero and infinite ones count as zero. */
export function graphOf({ names, edges }: Pick<Component, 'names' | 'edges'>): SparseGraph {
  const place = new Map(names.map((name, index) => [name, index]))
  return buildGraph(names.length, {
    from: edges.map(([from]) => place.get(from) ?? 0),
    to: edges.map(([, to]) => place.get(to) ?? 0),
    weight: edges.map(([, , weight]) => (Number.isFinite(weight) ? Math.max(0, weight) : 0)),
  })
}

function collapsed(
  rows: readonly { readonly source: string; readonly target: string; readonly weight: number }[],
  collapse: 'last' | 'sum',
): readonly Edge[] {
  const found = new Map<string, Edge>()
  for (const { source, target, weight } of rows) {
    const [from, to] = source < target ? [source, target] : [target, source]
    const key = JSON.stringify([from, to])
    const before = found.get(key)?.[2] ?? 0
    // the row that counts also gives the place
    if (collapse === 'last') found.delete(key)
    found.set(key, [from, to, collapse === 'sum' ? before + weight : weight])
  }
  return [...found.values()]
}

function normalised(edges: readonly Edge[]): readonly Edge[] {
  const found = new Map<string, Edge>()
  for (const [a, b, weight] of edges) {
    const [first, second] = [cleanName(a), cleanName(b)]
    const [from, to] = first < second ? [first, second] : [second, first]
    const key = JSON.stringify([from, to])
    if (!found.has(key)) found.set(key, [from, to, weight])
  }
  return [...found.values()]
}

function largest(names: readonly string[], edges: readonly Edge[]): readonly string[] {
  const joins = edges.map(([from, to]): Edge => [from, to, 1])
  const components = connectedComponents(graphOf({ names, edges: joins }))
  const sizes: number[] = []
  for (const component of components) sizes[component] = (sizes[component] ?? 0) + 1
  const best = sizes.indexOf(sizes.reduce((most, size) => Math.max(most, size), 0))
  return names.filter((_, place) => components[place] === best)
}

const byEnds = (a: Edge, b: Edge): number => (a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]) ? -1 : 1)
