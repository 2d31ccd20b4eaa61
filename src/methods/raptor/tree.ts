import { itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { summarise } from '../../tasks/pieces.ts'
import { tokenizer } from '../../text/tokens.ts'
import type { Models, TextSpan } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import { cutSummary } from '../shared/longest-start.ts'
import { clusterLayer, type ClusterLog, type Cluster } from './clusters.ts'
import { referenceTokenizer, type Leaf } from './leaves.ts'
import { numLayers, reductionDimension, type RaptorOptions } from './options.ts'

/** A leaf, or the summary of nodes of the layer below; `from`: the chunks below it; `span`: where a leaf lies. */
interface TreeNode {
  readonly number: number
  readonly layer: number
  readonly text: string
  readonly tokens: number
  readonly vector: Float32Array
  readonly from: readonly string[]
  readonly children: readonly number[]
  readonly span?: TextSpan
  /** Of a summary: its cluster's number within the layer, and its children's posteriors where a mixture gave them. */
  readonly cluster?: number
  readonly posteriors?: readonly number[]
}

export interface Tree {
  readonly nodes: readonly TreeNode[]
  /** Node numbers by layer, leaves first. */
  readonly layers: readonly (readonly number[])[]
  readonly log: ClusterLog
  /** Why a cluster has no node: its summary could not be read or was refused. Its children stay in their layer. */
  readonly lost: readonly ModelError[]
  /** Summaries that were longer than `summaryTokens` and were cut there. */
  readonly cutSummaries: number
  readonly stopped: Stop
}

/** Why no layer was added: few nodes, enough layers, nearly as many nodes as below, or all summaries were lost. */
type Stop = 'few nodes' | 'numLayers' | 'staircase' | 'lost'

/** The seed of the reference code: that of a run with the default seed, in its first repeat. */
const usualSeed = 224

/** A new layer of nearly as many nodes as the one below would only climb stairs (ragflow's lesson; our reading). */
const staircase = 0.9

/**
 * Builds a tree from its leaves upwards: embed, cluster, summarise each cluster, and on with the summaries (section 3).
 * A summary that cannot be read or is refused costs its node alone; every other failure of a call is thrown.
 */
export async function grow(leaves: readonly Leaf[], models: Models, options: RaptorOptions): Promise<Tree> {
  const log: ClusterLog = { fallbacks: [], cut: 0 }
  const nodes: TreeNode[] = []
  const layers: (readonly number[])[] = []
  const lost: ModelError[] = []
  let cutSummaries = 0

  const addLayer = async (texts: readonly NewNode[]): Promise<readonly TreeNode[]> => {
    const added = await addedNodes(texts, layers.length, nodes.length, models)
    nodes.push(...added)
    layers.push(added.map(({ number }) => number))
    return added
  }
  const summaryOf = async ({ members, posteriors }: Cluster, below: readonly TreeNode[], cluster: number) => {
    const children = members.flatMap((member) => below[member] ?? [])
    const reply = await summarised(children, models, options)
    if (reply instanceof ModelError) return reply
    const { text, cut } = reply
    if (cut) cutSummaries++
    const from = [...new Set(children.flatMap((child) => child.from))]
    return { text, from, children: children.map(({ number }) => number), cluster, ...(posteriors && { posteriors }) }
  }

  /** One node a cluster; a layer of which every summary was lost is none. */
  const addSummaries = async (clusters: readonly Cluster[], below: readonly TreeNode[]) => {
    const outcomes = await Promise.all(clusters.map((cluster, number) => summaryOf(cluster, below, number)))
    lost.push(...outcomes.filter((outcome) => outcome instanceof ModelError))
    const summaries = outcomes.flatMap((outcome) => (outcome instanceof ModelError ? [] : [outcome]))
    return summaries.length > 0 ? addLayer(summaries) : []
  }

  const clustersOver = (below: readonly TreeNode[]): readonly Cluster[] | Stop => {
    if (below.length === 0 && lost.length > 0) return 'lost'
    if (below.length <= reductionDimension + 1) return 'few nodes'
    if (layers.length > numLayers) return 'numLayers'
    const seeded = { ...options, seed: models.seed(usualSeed) }
    const clusters = clusterLayer(below, seeded, log, `layer ${layers.length}`)
    return clusters.length < staircase * below.length ? clusters : 'staircase'
  }

  let current = await addLayer(leaves)
  let next = clustersOver(current)
  while (typeof next !== 'string') {
    current = await addSummaries(next, current)
    next = clustersOver(current)
  }
  return { nodes, layers, log, lost, cutSummaries, stopped: next }
}

type NewNode = Leaf | Omit<TreeNode, 'number' | 'tokens' | 'vector' | 'layer'>

/** Leaves, or summaries, embedded as nodes of a layer, with numbers from the first one on. */
async function addedNodes(
  texts: readonly NewNode[],
  layer: number,
  first: number,
  models: Models,
): Promise<readonly TreeNode[]> {
  const words = tokenizer(referenceTokenizer)
  const vectors = texts.length > 0 ? await models.embed(texts.map(({ text }) => text)) : []
  return texts.map((one, index) => ({
    ...('documentId' in one ? { text: one.text, from: one.from, children: [], span: spanOf(one) } : one),
    number: first + index,
    layer,
    tokens: words.count(one.text),
    vector: vectors[index] ?? new Float32Array(),
  }))
}

const spanOf = ({ documentId, start, end }: TextSpan): TextSpan => ({ documentId, start, end })

/** The summary of nodes, cut where it is too long; an error where it could not be read or was refused. */
async function summarised(
  children: readonly Pick<TreeNode, 'text'>[],
  models: Models,
  { summaryTokens: tokens }: Pick<RaptorOptions, 'summaryTokens'>,
): Promise<ReturnType<typeof cutSummary> | ModelError> {
  const reply = await attempt(models, summarise, { texts: children.map(({ text }) => text), tokens })
  return reply instanceof ModelError ? reply : cutSummary(reply, tokens, (summary) => models.countTokens(summary))
}

/** A node that a question found, best first. Higher is better. */
export interface FoundNode {
  readonly tree: number
  readonly node: TreeNode
  readonly score: number
  readonly similarity: number
}

/** Collapsed tree (section 3): all layers in one list by cosine distance; equal ones by tree and number. */
export const collapsed = (trees: readonly Tree[], question: Float32Array): readonly FoundNode[] =>
  trees
    .flatMap(({ nodes }, tree) =>
      nodes.map((node) => {
        const away = distance(question, node.vector)
        return { tree, node, score: -away + 0, similarity: 1 - away }
      }),
    )
    .sort((a, b) => b.score - a.score || a.tree - b.tree || a.node.number - b.node.number)

/** Cosine distance; 1 from a vector of zeros. */
function distance(a: Float32Array, b: Float32Array): number {
  let [product, aa, bb] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [itemAt(a, i), itemAt(b, i)]
    product += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 1 : 1 - product / Math.sqrt(aa * bb)
}
