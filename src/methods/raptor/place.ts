import { itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import type { Chunk, Models } from '../../types.ts'
import type { Leaf } from './leaves.ts'
import type { RaptorOptions } from './options.ts'
import { addedNodes, distance, summarised, type Tree, type TreeNode } from './tree.ts'

/** The chunks of the first `base` documents in the order given, and the others; null: all are of the first. */
export function splitAtBase(
  chunks: readonly Chunk[],
  { base }: Pick<RaptorOptions, 'base'>,
): { readonly first: readonly Chunk[]; readonly others: readonly Chunk[] } {
  const ids = new Set([...new Set(chunks.map(({ documentId }) => documentId))].slice(0, base ?? Infinity))
  return {
    first: chunks.filter(({ documentId }) => ids.has(documentId)),
    others: chunks.filter(({ documentId }) => !ids.has(documentId)),
  }
}

/**
 * A tree with more leaves and the same clusters (our reading; the paper builds anew). Each leaf joins the cluster of
 * the lowest layer whose summary is nearest to it by cosine distance, of those that stay within `maxClusterTokens`;
 * then the summaries above it are made again, layer by layer, and all else stays. A leaf without a cluster stands alone
 * in its layer. A summary that cannot be made again stays as it was, and counts as lost; other failures are thrown.
 */
export async function place(
  tree: Tree,
  leaves: readonly Leaf[],
  models: Models,
  options: RaptorOptions,
): Promise<Tree> {
  if (leaves.length === 0) return tree
  const nodes = [...tree.nodes]
  const added = await addedNodes(leaves, 0, nodes.length, models)
  nodes.push(...added)
  const [bottom = [], ...above] = tree.layers
  const joined = joinedBy(added, above[0] ?? [], nodes, options)
  const lost = [...tree.lost]
  let { cutSummaries } = tree
  let touched = new Set([...joined.values()].flat())
  for (const layer of above) {
    const stale = layer.flatMap((number): TreeNode[] => {
      const { posteriors, ...node } = itemAt(nodes, number)
      const more = joined.get(number) ?? []
      const children = [...node.children, ...more]
      if (!children.some((child) => touched.has(child))) return []
      return [{ ...node, children, ...(posteriors && more.length === 0 && { posteriors }) }]
    })
    const replies = await Promise.all(stale.map((node) => summarised(childrenIn(nodes, node), models, options)))
    lost.push(...replies.filter((reply) => reply instanceof ModelError))
    const made = replies.flatMap((reply, index) => {
      if (reply instanceof ModelError) return []
      if (reply.cut) cutSummaries++
      const node = itemAt(stale, index)
      const from = [...new Set(childrenIn(nodes, node).flatMap((child) => child.from))]
      return [{ ...node, text: reply.text, from }]
    })
    for (const [index, again] of (await addedNodes(made, 0, 0, models)).entries()) {
      const { number, layer: own } = itemAt(made, index)
      nodes[number] = { ...again, number, layer: own }
    }
    touched = new Set(made.map(({ number }) => number))
  }
  const layers = [[...bottom, ...added.map(({ number }) => number)], ...above]
  const alone = added.length - [...joined.values()].flat().length
  return { ...tree, nodes, layers, lost, cutSummaries, placed: { leaves: added.length, alone } }
}

const childrenIn = (nodes: readonly TreeNode[], { children }: Pick<TreeNode, 'children'>): readonly TreeNode[] =>
  children.map((child) => itemAt(nodes, child))

/** The leaves that join a cluster, by the number of its summary; of equally near ones the first. */
function joinedBy(
  added: readonly TreeNode[],
  clusters: readonly number[],
  nodes: readonly TreeNode[],
  { maxClusterTokens }: Pick<RaptorOptions, 'maxClusterTokens'>,
): ReadonlyMap<number, readonly number[]> {
  const joined = new Map<number, readonly number[]>()
  const tokens = new Map(
    clusters.map((number) => {
      const below = childrenIn(nodes, itemAt(nodes, number))
      return [number, below.reduce((sum, child) => sum + child.tokens, 0)]
    }),
  )
  for (const leaf of added) {
    const withRoom = clusters.flatMap((number) => {
      const held = tokens.get(number)
      return held !== undefined && held + leaf.tokens <= maxClusterTokens
        ? [{ number, held, away: distance(itemAt(nodes, number).vector, leaf.vector) }]
        : []
    })
    const [nearest] = withRoom.sort((a, b) => a.away - b.away || a.number - b.number)
    if (!nearest) continue
    joined.set(nearest.number, [...(joined.get(nearest.number) ?? []), leaf.number])
    tokens.set(nearest.number, nearest.held + leaf.tokens)
  }
  return joined
}
