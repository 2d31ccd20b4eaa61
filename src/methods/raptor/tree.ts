import { ModelError } from '../../errors.ts'
import { summarise } from '../../tasks/pieces.ts'
import { tokenizer } from '../../text/tokens.ts'
import type { Models, TextSpan } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import { cosine } from '../../math/vectors.ts'
import { cutSummary } from '../shared/longest-start.ts'
import { clusterLayer, type ClusterLog, type Cluster } from './clusters.ts'
import { referenceTokenizer, type Leaf } from './leaves.ts'
import { numLayers, reductionDimension, type RaptorOptions } from './options.ts'

/** A leaf, or a summary of nodes of the layer below; `from`: ids of its chunks; `span`: of a leaf. */
interface TreeNode {
  readonly number: number
  readonly layer: number
  readonly text: string
  readonly tokens: number
  readonly vector: Float32Array
  readonly from: readonly string[]
  readonly children: readonly number[]
  readonly span?: TextSpan
  /** Of a summary: its cluster's number within the layer, and its children's posteriors if a mixture clustered them. */
  readonly cluster?: number
  readonly posteriors?: readonly number[]
}

/**
 * `layers`: node numbers, leaves first. `errors`: of clusters without a summary; their children stay in their layer.
 */
export type Tree = Awaited<ReturnType<typeof growTree>>

/** Why growth stopped: few nodes, enough layers, nearly as many nodes as below, or all summaries lost. */
type Stop = 'few nodes' | 'numLayers' | 'staircase' | 'lost'

/** The seed of the reference code. */
const defaultSeed = 224

/** A new layer must have fewer nodes than this share of the layer below (as in ragflow; our reading). */
const maxLayerRatio = 0.9

/**
 * Builds a tree from its leaves upwards (section 3): embed, cluster, summarise each cluster, repeat with the summaries.
 * A summary that cannot be read or is refused loses only its node; other failures are thrown.
 */
export async function growTree(leaves: readonly Leaf[], models: Models, options: RaptorOptions) {
  const log: ClusterLog = { fallbacks: [], cut: 0 }
  const nodes: TreeNode[] = []
  const layers: (readonly number[])[] = []
  const errors: ModelError[] = []
  let cutSummaries = 0

  const addLayer = async (texts: readonly NewNode[]): Promise<readonly TreeNode[]> => {
    const layerNodes = await embedNodes(texts, layers.length, nodes.length, models)
    nodes.push(...layerNodes)
    layers.push(layerNodes.map(({ number }) => number))
    return layerNodes
  }
  const summaryOf = async ({ members, posteriors }: Cluster, below: readonly TreeNode[], cluster: number) => {
    const children = members.flatMap((member) => below[member] ?? [])
    const input = { texts: children.map(({ text }) => text), tokens: options.summaryTokens }
    const reply = await attempt(models, summarise, input)
    if (reply instanceof ModelError) return reply
    const { text, cut } = cutSummary(reply, input.tokens, models.countTokens)
    if (cut) cutSummaries++
    const from = [...new Set(children.flatMap((child) => child.from))]
    return { text, from, children: children.map(({ number }) => number), cluster, ...(posteriors && { posteriors }) }
  }

  /** One node per cluster; no layer if every summary is lost. */
  const addSummaries = async (clusters: readonly Cluster[], below: readonly TreeNode[]) => {
    const outcomes = await Promise.all(clusters.map((cluster, number) => summaryOf(cluster, below, number)))
    errors.push(...outcomes.filter((outcome) => outcome instanceof ModelError))
    const summaries = outcomes.flatMap((outcome) => (outcome instanceof ModelError ? [] : [outcome]))
    return summaries.length > 0 ? addLayer(summaries) : []
  }

  const clustersOver = (below: readonly TreeNode[]): readonly Cluster[] | Stop => {
    if (below.length === 0 && errors.length > 0) return 'lost'
    if (below.length <= reductionDimension + 1) return 'few nodes'
    if (layers.length > numLayers) return 'numLayers'
    const seededOptions = { ...options, seed: models.seed(defaultSeed) }
    const clusters = clusterLayer(below, seededOptions, log, `layer ${layers.length}`)
    return clusters.length < maxLayerRatio * below.length ? clusters : 'staircase'
  }

  let current = await addLayer(leaves)
  let next = clustersOver(current)
  while (typeof next !== 'string') {
    current = await addSummaries(next, current)
    next = clustersOver(current)
  }
  return { nodes, layers, log, errors, cutSummaries, stopReason: next }
}

type NewNode = Leaf | Omit<TreeNode, 'number' | 'tokens' | 'vector' | 'layer'>

async function embedNodes(
  texts: readonly NewNode[],
  layer: number,
  first: number,
  models: Models,
): Promise<readonly TreeNode[]> {
  const words = tokenizer(referenceTokenizer)
  const vectors = texts.length > 0 ? await models.embed(texts.map(({ text }) => text)) : []
  return texts.map((newNode, index) => ({
    ...('documentId' in newNode ? leafNode(newNode) : newNode),
    number: first + index,
    layer,
    tokens: words.count(newNode.text),
    vector: vectors[index] ?? new Float32Array(),
  }))
}

const leafNode = ({ text, from, documentId, start, end }: Leaf) => {
  return { text, from, children: [], span: { documentId, start, end } }
}

/** A node with its score for a question. Higher is better. */
export type RankedNode = ReturnType<typeof rankCollapsedTree>[number]

/** Collapsed tree (section 3): all layers in one list by cosine distance; ties by tree and number. */
export const rankCollapsedTree = (trees: readonly Tree[], question: Float32Array) =>
  trees
    .flatMap(({ nodes }, tree) =>
      nodes.map((node) => {
        const distance = 1 - cosine(question, node.vector)
        return { tree, node, score: -distance + 0, similarity: 1 - distance }
      }),
    )
    .sort((a, b) => b.score - a.score || a.tree - b.tree || a.node.number - b.node.number)
