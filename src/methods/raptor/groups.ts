import type { Chunk } from '../../types.ts'

/** What clustering knows of a node. */
export interface Clusterable {
  readonly vector: Float32Array
  readonly text: string
  readonly tokens: number
}

/** Nodes that are summarised together, by position in their layer, rising; with their posteriors where a mixture gave them. */
export interface Cluster {
  readonly members: readonly number[]
  readonly posteriors?: readonly number[]
}

/** A node and its position in the layer. */
export interface Placed extends Clusterable {
  readonly place: number
}

/** The nodes of a cluster while clusters are made; the posteriors are in their order. */
export interface Group {
  readonly nodes: readonly Placed[]
  readonly posteriors?: readonly number[]
}

/** The nodes in an order that does not depend on the order given. */
export const placed = (nodes: readonly Clusterable[]): readonly Placed[] =>
  byContent(nodes.map(({ vector, text, tokens }, place) => ({ vector, text, tokens, place })))

/** The cluster of a group. */
export function clusterOf({ nodes, posteriors }: Group): Cluster {
  const rising = nodes.map(({ place }, index) => ({ place, index })).sort((a, b) => a.place - b.place)
  return {
    members: rising.map(({ place }) => place),
    ...(posteriors && { posteriors: rising.map(({ index }) => posteriors[index] ?? 0) }),
  }
}

/** Runs of nodes within the token limit, in text order; a node that exceeds it alone stands alone. */
export function consecutive(nodes: readonly Placed[], most: number): readonly Group[] {
  const groups: Placed[][] = []
  let spent = Infinity
  for (const node of nodes.toSorted((a, b) => a.place - b.place)) {
    const last = groups.at(-1)
    if (last && spent + node.tokens <= most) {
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
export function distinct(groups: readonly Group[]): readonly Group[] {
  const kept = new Map<string, Group>()
  for (const group of groups) {
    const key = group.nodes.map(({ place }) => place).join(' ')
    if (!kept.has(key)) kept.set(key, group)
  }
  return [...kept.values()]
}

// Orders that hold however the corpus was shuffled: a tree must not depend on the order of its chunks.

/** Chunks as they are read: documents by the bytes of their ids, each in the order of its text. */
export const inReadingOrder = (chunks: readonly Chunk[]): readonly Chunk[] =>
  chunks.toSorted((a, b) => byBytes(a.documentId, b.documentId) || a.start - b.start || a.end - b.end)

/** Things by the bytes of their vectors, then of their texts: those that are equal in both cannot be told apart. */
const byContent = <T extends { readonly vector: Float32Array; readonly text: string }>(
  things: readonly T[],
): readonly T[] =>
  things.toSorted((a, b) => Buffer.compare(bytesOf(a.vector), bytesOf(b.vector)) || byBytes(a.text, b.text))

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
