import { groupBy, itemAt } from '../../basics/collections.ts'
import { softClusters, type Fallback } from '../../math/mixture/soft-clusters.ts'
import { seedFrom } from '../../math/random.ts'
import { umap } from '../../math/umap/umap.ts'
import { rowsToMatrix, type Matrix } from '../../math/vectors.ts'
import { byCodePoint } from '../../text/characters.ts'
import { packByTokens } from '../shared/fitting.ts'
import { maxClusterTokens, reductionDimension, type RaptorOptions } from './options.ts'
import type { Chunk } from '../../types.ts'

type SeededOptions = Pick<RaptorOptions, 'compat'> & { readonly seed: number }

/** Events of clustering. `cut`: clusters that could not be split and were cut in text order. */
export interface ClusterLog {
  readonly fallbacks: Fallback[]
  cut: number
}

/** Maximum rounds of clustering of one cluster. */
const maxDepth = 5
/** Fewer nodes are not reduced: UMAP needs neighbourhoods. */
const minNodesToReduce = 12
/** Maximum neighbours of a global UMAP (our reading: memory). */
const maxNeighbours = 100
/** Neighbours of a UMAP within a cluster (reference code). */
const localNeighbours = 10
/** A node joins every cluster with a posterior above this (reference code). */
const softThreshold = 0.1
/** Exclusive upper bound of mixture components (reference code). */
const maxComponents = 50

/**
 * Clusters one layer as RAPTOR does (section 3), ordered by first member. Nodes are processed in the order of their
 * content, so that the input order changes no cluster, except those cut in text order.
 */
export function clusterLayer(
  nodes: readonly Clusterable[],
  { compat, seed: layerSeed }: SeededOptions,
  log: ClusterLog,
  path = 'layer',
): readonly Cluster[] {
  /** Global soft clusters, local ones within each, and again for a cluster that is too long. */
  const clusterNodes = (nodes: readonly PlacedNode[], path: string, depth: number): readonly Group[] => {
    const groups = softGroups(nodes, globalNeighbours(nodes.length), `${path}.global`).flatMap((global, number) =>
      global.nodes.length <= reductionDimension + 1
        ? [global]
        : softGroups(global.nodes, localNeighbours, `${path}.${number}`),
    )
    return distinctGroups(groups).flatMap((group, number) => splitIfTooLong(group, `${path}.again${number}`, depth))
  }

  /** Soft clusters of reduced embeddings; fallbacks are logged. */
  const softGroups = (nodes: readonly PlacedNode[], neighbours: number, path: string): readonly Group[] => {
    if (nodes.length < 2) return [{ nodes }]
    const seed = seedFrom(layerSeed, path)
    const rows = rowsToMatrix(nodes.map(({ vector }) => vector))
    const mixture = softClusters(reduceDimensions(rows, neighbours, seed), {
      covariance: compat ? 'full' : 'diag',
      search: compat ? 'exhaustive' : 'early',
      maxComponents,
      threshold: softThreshold,
      seed,
      regularisation: compat ? 'scikit-learn' : 'floor',
    })
    log.fallbacks.push(...mixture.fallbacks)
    if (mixture.by === 'consecutive') return consecutiveGroups(nodes)
    return mixture.clusters.map(({ rows, posteriors }) => ({
      nodes: rows.flatMap((row) => nodes[row] ?? []),
      ...(posteriors && { posteriors }),
    }))
  }

  /** The group if it fits a summary, else its clusters; one that cannot be split is cut in text order. */
  const splitIfTooLong = (group: Group, path: string, depth: number): readonly Group[] => {
    const { nodes } = group
    const tokens = nodes.reduce((sum, node) => sum + node.tokens, 0)
    if (nodes.length < 2 || tokens <= maxClusterTokens) return [group]
    const parts = depth < maxDepth ? clusterNodes(nodes, path, depth + 1) : [group]
    if (parts.every((part) => part.nodes.length < nodes.length)) return parts
    log.cut++
    return consecutiveGroups(nodes)
  }

  return clusterNodes(inContentOrder(nodes), path, 0)
    .map(clusterOf)
    .sort((a, b) => itemAt(a.members, 0) - itemAt(b.members, 0))
}

const globalNeighbours = (nodes: number): number =>
  Math.min(Math.max(2, Math.floor(Math.sqrt(nodes - 1))), maxNeighbours)

const reduceDimensions = (rows: Matrix, neighbours: number, seed: number): Matrix =>
  rows.rows < minNodesToReduce
    ? rows
    : umap(rows, { dimensions: Math.min(reductionDimension, rows.rows - 2), neighbours, seed })

/** The input of clustering. */
export interface Clusterable {
  readonly vector: Float32Array
  readonly text: string
  readonly tokens: number
}

/** Positions of nodes in their layer, ascending, with posteriors if a mixture clustered them. */
export interface Cluster {
  readonly members: readonly number[]
  readonly posteriors?: readonly number[]
}

/** A node and its position in the layer. */
interface PlacedNode extends Clusterable {
  readonly place: number
}

/** An intermediate cluster; posteriors in the order of nodes. */
interface Group {
  readonly nodes: readonly PlacedNode[]
  readonly posteriors?: readonly number[]
}

const inContentOrder = (nodes: readonly Clusterable[]): readonly PlacedNode[] =>
  nodes
    .map(({ vector, text, tokens }, place) => ({ vector, text, tokens, place }))
    .sort((a, b) => Buffer.compare(bytesOf(a.vector), bytesOf(b.vector)) || byCodePoint(a.text, b.text))

function clusterOf({ nodes, posteriors }: Group): Cluster {
  const rising = nodes.map(({ place }, index) => ({ place, index })).sort((a, b) => a.place - b.place)
  return {
    members: rising.map(({ place }) => place),
    ...(posteriors && { posteriors: rising.map(({ index }) => itemAt(posteriors, index)) }),
  }
}

/** Consecutive nodes within the token limit, in text order; a node that exceeds it is a group of its own. */
const consecutiveGroups = (nodes: readonly PlacedNode[]): readonly Group[] => {
  const inOrder = nodes.toSorted((a, b) => a.place - b.place)
  return packByTokens(inOrder, ({ tokens }) => tokens, maxClusterTokens).map((group) => ({ nodes: group }))
}

/** Deduplicates groups: clusters of overlapping clusters can coincide. */
function distinctGroups(groups: readonly Group[]): readonly Group[] {
  const groupsByMembers = groupBy(groups, ({ nodes }) => nodes.map(({ place }) => place).join(' '))
  return Array.from(groupsByMembers.values(), ([first]) => first)
}

/** Chunks in reading order: documents by the bytes of their ids, each in text order. */
export const inReadingOrder = (chunks: readonly Chunk[]): readonly Chunk[] =>
  chunks.toSorted((a, b) => byCodePoint(a.documentId, b.documentId) || a.start - b.start || a.end - b.end)

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
