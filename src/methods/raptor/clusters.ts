import { softClusters, type Step } from '../../math/mixture/soft-clusters.ts'
import type { Mixture } from '../../math/mixture/mixture.ts'
import { pca } from '../../math/pca.ts'
import { seedFrom } from '../../math/random.ts'
import { umap } from '../../math/umap/umap.ts'
import { packRows, type Matrix } from '../../math/vectors.ts'
import type { RaptorOptions } from './options.ts'

/** What clustering knows of a node. */
export interface Clusterable {
  readonly vector: Float32Array
  readonly tokens: number
}

/** Nodes that are summarised together, by position in their layer, rising; with their posteriors where a mixture gave them. */
export interface Cluster {
  readonly members: readonly number[]
  readonly posteriors?: readonly number[]
}

/** How a layer was clustered, for the index statistics. */
export interface ClusterLog {
  fallbacks: string[]
  reclusterings: number
}

/** More rounds of clustering on one cluster will not make it smaller. */
const deepest = 5
/** A graph of fewer nodes is not reduced: UMAP needs neighbourhoods. */
const fewest = 12
/** Neighbours of the local UMAP (the reference's constant) and the most of the global one (ours: memory). */
const localNeighbours = 10
const mostNeighbours = 100

/** Clusters one layer as RAPTOR does (section 3): soft clusters of all nodes, in each of them soft clusters of its members, and again where one is too long. */
export function clusterLayer(
  nodes: readonly Clusterable[],
  options: RaptorOptions,
  log: ClusterLog,
  path = 'layer',
  depth = 0,
): readonly Cluster[] {
  const all = nodes.map((_, index) => index)
  const neighbours = Math.min(Math.max(2, Math.floor(Math.sqrt(nodes.length - 1))), mostNeighbours)
  const clusters = soft(nodes, all, neighbours, options, log, `${path}.global`).flatMap((global, number) =>
    global.members.length <= options.reductionDimension + 1
      ? [global]
      : soft(nodes, global.members, localNeighbours, options, log, `${path}.${number}`),
  )
  return distinct(clusters).flatMap((cluster, number) =>
    bounded(cluster, nodes, options, log, `${path}.again${number}`, depth),
  )
}

/** Soft clusters of some nodes by their reduced embeddings; the fall from one way of clustering to the next is told. */
function soft(
  nodes: readonly Clusterable[],
  members: readonly number[],
  neighbours: number,
  options: RaptorOptions,
  log: ClusterLog,
  path: string,
): readonly Cluster[] {
  if (members.length < 2) return [{ members }]
  const seed = seedFrom(options.seed, path)
  const rows = packRows(members.flatMap((member) => nodes[member]?.vector ?? []))
  const { covariance, bicSearch: search, maxComponents, softThreshold: threshold } = options
  const found = softClusters(reduced(rows, neighbours, seed, options), {
    covariance,
    search,
    maxComponents,
    threshold,
    seed,
  })
  log.fallbacks.push(...found.fallbacks.map(({ from, to, reason }) => `${path}: ${from} to ${to}: ${reason}`))
  const by: Step = found.by
  if (by === 'consecutive') return consecutive(nodes, members, options.maxClusterTokens)
  return found.clusters.map((cluster) => ({
    members: cluster.flatMap((row) => members[row] ?? []),
    ...(found.mixture && { posteriors: posteriorsOf(cluster, found.mixture) }),
  }))
}

function reduced(
  rows: Matrix,
  neighbours: number,
  seed: number,
  { reducer, reductionDimension }: RaptorOptions,
): Matrix {
  if (reducer === 'none' || rows.rows < fewest) return rows
  const dimensions = Math.min(reductionDimension, rows.rows - 2)
  return reducer === 'pca' ? pca(rows, dimensions) : umap(rows, { dimensions, neighbours, seed, metric: 'cosine' })
}

/** The posteriors of a cluster's rows in the component that they share. */
function posteriorsOf(cluster: readonly number[], { posteriors, components }: Mixture): readonly number[] {
  const of = (row: number, component: number): number => posteriors[row * components + component] ?? 0
  const sums = Array.from({ length: components }, (_, component) =>
    cluster.reduce((sum, row) => sum + of(row, component), 0),
  )
  const shared = sums.indexOf(Math.max(...sums))
  return cluster.map((row) => of(row, shared))
}

/** A cluster that fits the summariser, or what it is clustered into; what does not come apart is cut in text order. */
function bounded(
  cluster: Cluster,
  nodes: readonly Clusterable[],
  options: RaptorOptions,
  log: ClusterLog,
  path: string,
  depth: number,
): readonly Cluster[] {
  const { members } = cluster
  const tokens = members.reduce((sum, member) => sum + (nodes[member]?.tokens ?? 0), 0)
  if (members.length < 2 || tokens <= options.maxClusterTokens) return [cluster]
  log.reclusterings++
  if (depth >= deepest) return consecutive(nodes, members, options.maxClusterTokens)
  const own = members.flatMap((member) => nodes[member] ?? [])
  const parts = clusterLayer(own, options, log, path, depth + 1)
  if (parts.some((part) => part.members.length === members.length))
    return consecutive(nodes, members, options.maxClusterTokens)
  return parts.map((part) => ({ ...part, members: part.members.flatMap((place) => members[place] ?? []) }))
}

/** Runs of members within the token limit, in text order; a member that exceeds it alone stands alone. */
function consecutive(nodes: readonly Clusterable[], members: readonly number[], most: number): readonly Cluster[] {
  const groups: number[][] = []
  let spent = Infinity
  for (const member of [...members].sort((a, b) => a - b)) {
    const cost = nodes[member]?.tokens ?? 0
    const last = groups.at(-1)
    if (last && spent + cost <= most) {
      last.push(member)
      spent += cost
    } else {
      groups.push([member])
      spent = cost
    }
  }
  return groups.map((group) => ({ members: group }))
}

/** Every set of members once: clusters of overlapping clusters can be the same. Ordered by their first members. */
function distinct(clusters: readonly Cluster[]): readonly Cluster[] {
  const kept = new Map<string, Cluster>()
  for (const cluster of clusters) {
    const key = cluster.members.join(' ')
    if (!kept.has(key)) kept.set(key, cluster)
  }
  return [...kept.values()].sort((a, b) => (a.members[0] ?? 0) - (b.members[0] ?? 0))
}
