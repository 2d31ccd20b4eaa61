import { leiden, modularity } from '../../../math/leiden/leiden.ts'
import { connectedComponents } from '../../../math/graph.ts'
import { mulberry32 } from '../../../math/random.ts'
import { sum } from '../../../math/statistics/descriptive.ts'
import { cluster, componentOf, graphOf, type Component, type Cluster } from '../communities.ts'
import { replayGolden, notOurs } from '../../../test-support/golden.ts'
import { tablesOf } from '../../../test-support/graphrag-index/tables.ts'

/** Hierarchical communities: the component exactly, the partition within the range that the vectors name. */
replayGolden({ 'graphrag.communities': clustered })

interface Graph {
  readonly index?: string
  readonly edges?: readonly (readonly [string, string, number])[]
  readonly maxSize: number
  readonly useLcc: boolean
}

interface Row {
  readonly level: number
  readonly community: number
  readonly parent: number
  readonly nodes: readonly string[]
}

interface Expected {
  readonly samePartitionForEverySeed: boolean
  readonly level0: { readonly accept_min: number; readonly optimum?: number }
  readonly reference: readonly Row[]
}

/** Twenty seeds, that of the reference first: every one has to keep to what is expected. */
const seeds = [0xdeadbeef, ...Array.from({ length: 19 }, (_, seed) => seed)]

async function clustered({ index, edges = [], maxSize, useLcc }: Graph, expected: Expected) {
  const rows =
    index === undefined
      ? edges.map(([source, target, weight]) => ({ source, target, weight }))
      : (await tablesOf(index)).relationships
  const component = componentOf(rows, { largestComponent: useLcc })
  const faults = seeds.flatMap((seed) => {
    // the reference splits at maxSize nodes or more
    const found = cluster(component, { maxSize: maxSize - 1, random: mulberry32(seed) })
    return faultsOf(component, found, maxSize, expected)
  })
  if (faults.length > 0) throw new Error(faults.join('; '))
  return {
    componentNodes: component.names.length,
    componentEdges: component.edges.length,
    componentWeight: sum(component.edges.map(([, , weight]) => weight)),
    excludedNodes: component.excludedNames,
    collapsedEdges: component.edges,
    samePartitionForEverySeed: expected.samePartitionForEverySeed,
    // within their ranges, or there would be a fault
    level0: expected.level0,
    reference: expected.samePartitionForEverySeed ? expected.reference : notOurs,
    leaves: notOurs,
    levels: notOurs,
    seeds: notOurs,
  }
}

function faultsOf(component: Component, found: readonly Cluster[], maxSize: number, expected: Expected): string[] {
  const { accept_min: least, optimum = Infinity } = expected.level0
  const place = new Map(component.names.map((name, index) => [name, index]))
  const membership = new Uint32Array(component.names.length)
  for (const { id, level, titles } of found) {
    if (level === 0) for (const title of titles) membership[place.get(title) ?? 0] = id
  }
  const reached = modularity(graphOf(component), membership)
  return [
    ...(reached >= least && reached <= optimum + 1e-9 ? [] : [`modularity ${reached}, not ${least} to ${optimum}`]),
    ...found.flatMap((one) => faultsOfOne(component, one, found, maxSize)),
    ...(expected.samePartitionForEverySeed && !same(found, expected.reference) ? ['another partition'] : []),
  ]
}

function faultsOfOne(
  component: Component,
  { id, titles, parent }: Cluster,
  found: readonly Cluster[],
  maxSize: number,
) {
  const members = new Set(titles)
  const piece = graphOf({
    names: titles,
    edges: component.edges.filter(([from, to]) => members.has(from) && members.has(to)),
  })
  const above = new Set(found.find((one) => one.id === parent)?.titles)
  const children = found.filter((one) => one.parent === id)
  const indivisible = () =>
    seeds.some((seed) => new Set(leiden(piece, { random: mulberry32(seed), iterations: 1 })).size === 1)
  return [
    ...(new Set(connectedComponents(piece)).size > 1 ? [`community ${id} is not connected`] : []),
    ...(parent >= 0 && !titles.every((title) => above.has(title)) ? [`community ${id} leaves its parent`] : []),
    ...(titles.length >= maxSize && children.length === 0 && !indivisible() ? [`community ${id} is not split`] : []),
    ...(titles.length < maxSize && children.length > 0 ? [`community ${id} is split`] : []),
  ]
}

/** Whether two lists of communities are the same sets, in whatever order and under whatever numbers. */
function same(found: readonly Cluster[], reference: readonly Row[]): boolean {
  const nodesOf = (nodes: readonly string[]) => [...nodes].sort().join('\n')
  const ours = new Map(found.map(({ id, titles }) => [id, nodesOf(titles)]))
  const theirs = new Map(reference.map(({ community, nodes }) => [community, nodesOf(nodes)]))
  const a = found.map(({ id, level, parent }) => `${level}\n${ours.get(parent) ?? ''}\n\n${ours.get(id) ?? ''}`)
  const b = reference.map(
    ({ community, level, parent }) => `${level}\n${theirs.get(parent) ?? ''}\n\n${theirs.get(community) ?? ''}`,
  )
  return JSON.stringify(a.sort()) === JSON.stringify(b.sort())
}
