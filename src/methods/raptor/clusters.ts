import { groupBy, itemAt } from '../../basics/collections.ts'
import { softClusters, type Fallback } from '../../math/mixture/soft-clusters.ts'
import { seedFrom } from '../../math/random.ts'
import { umap } from '../../math/umap/umap.ts'
import { rowsToMatrix, type Matrix } from '../../math/vectors.ts'
import { maxClusterTokens, reductionDimension, type RaptorOptions } from './options.ts'
import type { Chunk } from '../../types.ts'

/** What clustering depends on beside the nodes. */
type SeededOptions = Pick<RaptorOptions, 'compat'> & { readonly seed: number }

/** How the layers of a tree were clustered. `cut`: clusters that did not come apart and were cut in text order. */
export interface ClusterLog {
  readonly fallbacks: Fallback[]
  cut: number
}

/** More rounds of clustering on one cluster will not make it smaller. */
const deepest = 5
/** A graph of fewer nodes is not reduced: UMAP needs neighbourhoods. */
const fewest = 12
/** The most neighbours of a global UMAP (ours: memory). */
const mostNeighbours = 100
/** Neighbours of a UMAP within a cluster (reference code). */
const localNeighbours = 10
/** A node joins every cluster with a posterior above this (reference code). */
const softThreshold = 0.1
/** Fewer components than this are tried (reference code). */
const maxComponents = 50

/**
 * Clusters one layer as RAPTOR does (section 3), by the first of their members. Everything that draws or counts sees
 * the nodes by their content, so the order in which they are given changes no cluster, but for those cut in text order.
 */
export function clusterLayer(
  nodes: readonly Clusterable[],
  options: SeededOptions,
  log: ClusterLog,
  path = 'layer',
): readonly Cluster[] {
  return clustered(placed(nodes), options, log, path, 0)
    .map(clusterOf)
    .sort((a, b) => itemAt(a.members, 0) - itemAt(b.members, 0))
}

/** Soft clusters of all nodes, in each of them soft clusters of its members, and again where one is too long. */
function clustered(
  nodes: readonly Placed[],
  options: SeededOptions,
  log: ClusterLog,
  path: string,
  depth: number,
): readonly Group[] {
  const groups = soft(nodes, rootOf(nodes.length), options, log, `${path}.global`).flatMap((global, number) =>
    global.nodes.length <= reductionDimension + 1
      ? [global]
      : soft(global.nodes, localNeighbours, options, log, `${path}.${number}`),
  )
  return distinct(groups).flatMap((group, number) => bounded(group, options, log, `${path}.again${number}`, depth))
}

const rootOf = (nodes: number): number => Math.min(Math.max(2, Math.floor(Math.sqrt(nodes - 1))), mostNeighbours)

/** Soft clusters by reduced embeddings; the fall from one way of clustering to the next is told. */
function soft(
  nodes: readonly Placed[],
  neighbours: number,
  options: SeededOptions,
  log: ClusterLog,
  path: string,
): readonly Group[] {
  if (nodes.length < 2) return [{ nodes }]
  const seed = seedFrom(options.seed, path)
  const rows = rowsToMatrix(nodes.map(({ vector }) => vector))
  const { compat } = options
  const found = softClusters(reduced(rows, neighbours, seed), {
    covariance: compat ? 'full' : 'diag',
    search: compat ? 'exhaustive' : 'early',
    maxComponents,
    threshold: softThreshold,
    seed,
    regularisation: compat ? 'scikit-learn' : 'floor',
  })
  log.fallbacks.push(...found.fallbacks)
  if (found.by === 'consecutive') return consecutive(nodes)
  return found.clusters.map(({ rows, posteriors }) => ({
    nodes: rows.flatMap((row) => nodes[row] ?? []),
    ...(posteriors && { posteriors }),
  }))
}

const reduced = (rows: Matrix, neighbours: number, seed: number): Matrix =>
  rows.rows < fewest ? rows : umap(rows, { dimensions: Math.min(reductionDimension, rows.rows - 2), neighbours, seed })

/** A group that fits the summariser, or what it is clustered into; what does not come apart is cut in text order. */
function bounded(group: Group, options: SeededOptions, log: ClusterLog, path: string, depth: number): readonly Group[] {
  const { nodes } = group
  const tokens = nodes.reduce((sum, node) => sum + node.tokens, 0)
  if (nodes.length < 2 || tokens <= maxClusterTokens) return [group]
  const parts = depth < deepest ? clustered(nodes, options, log, path, depth + 1) : [group]
  if (parts.every((part) => part.nodes.length < nodes.length)) return parts
  log.cut++
  return consecutive(nodes)
}

/** What clustering knows of a node. */
export interface Clusterable {
  readonly vector: Float32Array
  readonly text: string
  readonly tokens: number
}

/** Nodes summarised together, by position in their layer, rising; with posteriors where a mixture gave them. */
export interface Cluster {
  readonly members: readonly number[]
  readonly posteriors?: readonly number[]
}

/** A node and its position in the layer. */
interface Placed extends Clusterable {
  readonly place: number
}

/** The nodes of a cluster while clusters are made; the posteriors are in their order. */
interface Group {
  readonly nodes: readonly Placed[]
  readonly posteriors?: readonly number[]
}

/**
 * The nodes by the bytes of their vectors, then of their texts, however they were given: those that are equal in both
 * cannot be told apart.
 */
const placed = (nodes: readonly Clusterable[]): readonly Placed[] =>
  nodes
    .map(({ vector, text, tokens }, place) => ({ vector, text, tokens, place }))
    .sort((a, b) => Buffer.compare(bytesOf(a.vector), bytesOf(b.vector)) || byBytes(a.text, b.text))

/** The cluster of a group. */
function clusterOf({ nodes, posteriors }: Group): Cluster {
  const rising = nodes.map(({ place }, index) => ({ place, index })).sort((a, b) => a.place - b.place)
  return {
    members: rising.map(({ place }) => place),
    ...(posteriors && { posteriors: rising.map(({ index }) => itemAt(posteriors, index)) }),
  }
}

/** Runs of nodes within the token limit, in text order; a node that exceeds it alone stands alone. */
function consecutive(nodes: readonly Placed[]): readonly Group[] {
  const groups: Placed[][] = []
  let spent = Infinity
  for (const node of nodes.toSorted((a, b) => a.place - b.place)) {
    const last = groups.at(-1)
    if (last && spent + node.tokens <= maxClusterTokens) {
      last.push(node)
      spent += node.tokens
    } else {
      groups.push([node])
      spent = node.tokens
    }
  }
  return groups.map((group) => ({ nodes: group }))
}

/** Every set of nodes once: clusters of overlapping clusters can be the same. */
function distinct(groups: readonly Group[]): readonly Group[] {
  const same = groupBy(groups, ({ nodes }) => nodes.map(({ place }) => place).join(' '))
  return Array.from(same.values(), ([first]) => first)
}

/** Chunks as they are read: documents by the bytes of their ids, each in the order of its text. */
export const inReadingOrder = (chunks: readonly Chunk[]): readonly Chunk[] =>
  chunks.toSorted((a, b) => byBytes(a.documentId, b.documentId) || a.start - b.start || a.end - b.end)

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
