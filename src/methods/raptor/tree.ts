import { summarise } from '../../tasks/summarise.ts'
import { tokenizer } from '../../text/tokens.ts'
import type { Models } from '../../types.ts'
import { clusterLayer, emptyLog, type ClusterLog } from './clusters.ts'
import type { Cluster } from './groups.ts'
import type { Leaf } from './leaves.ts'
import type { RaptorOptions } from './options.ts'

/** A leaf, or the summary of nodes of the layer below. `children` are node numbers; `from` the chunks below it. */
export interface TreeNode {
  readonly number: number
  readonly layer: number
  readonly text: string
  readonly tokens: number
  readonly vector: Float32Array
  readonly from: readonly string[]
  readonly children: readonly number[]
  /** Of a summary: its cluster's number within the layer, and its children's posteriors where a mixture gave them. */
  readonly cluster?: number
  readonly posteriors?: readonly number[]
}

export interface Tree {
  readonly nodes: readonly TreeNode[]
  /** Node numbers by layer, leaves first. */
  readonly layers: readonly (readonly number[])[]
  readonly log: ClusterLog
  readonly singleMemberClusters: number
  readonly stopped: Stop
}

/** Why no layer was added: the last one is small, there are `numLayers` of summaries, or it would have had nearly as many nodes as the one below. */
export type Stop = 'few nodes' | 'numLayers' | 'staircase'

/** A new layer of nearly as many nodes as the one below would only climb stairs (ragflow's lesson; our reading). */
const staircase = 0.9

/** Builds a tree from its leaves upwards: embed, cluster, summarise each cluster, and on with the summaries (section 3). */
export async function grow(leaves: readonly Leaf[], models: Models, options: RaptorOptions): Promise<Tree> {
  const words = tokenizer(options.tokenizer)
  const log = emptyLog()
  const nodes: TreeNode[] = []
  const layers: (readonly number[])[] = []
  let singleMemberClusters = 0

  const addLayer = async (
    texts: readonly Omit<TreeNode, 'number' | 'tokens' | 'vector' | 'layer'>[],
  ): Promise<readonly TreeNode[]> => {
    const vectors = texts.length > 0 ? await models.embed(texts.map(({ text }) => text)) : []
    const layer = layers.length
    const added = texts.map((text, index): TreeNode => {
      return {
        ...text,
        number: nodes.length + index,
        layer,
        tokens: words.count(text.text),
        vector: vectors[index] ?? new Float32Array(),
      }
    })
    nodes.push(...added)
    layers.push(added.map(({ number }) => number))
    return added
  }
  const summaryOf = async ({ members, posteriors }: Cluster, below: readonly TreeNode[], cluster: number) => {
    const children = members.flatMap((member) => below[member] ?? [])
    const text = await models.run(summarise, {
      texts: children.map((child) => child.text),
      tokens: options.summaryTokens,
    })
    const from = [...new Set(children.flatMap((child) => child.from))]
    return { text, from, children: children.map(({ number }) => number), cluster, ...(posteriors && { posteriors }) }
  }

  const clustersOver = (below: readonly TreeNode[]): readonly Cluster[] | Stop => {
    if (below.length <= options.reductionDimension + 1) return 'few nodes'
    if (layers.length > options.numLayers) return 'numLayers'
    const clusters = clusterLayer(below, options, log, `layer ${layers.length}`)
    return clusters.length < staircase * below.length ? clusters : 'staircase'
  }

  let current = await addLayer(leaves.map(({ text, from }) => ({ text, from, children: [] })))
  let next = clustersOver(current)
  while (typeof next !== 'string') {
    singleMemberClusters += next.filter(({ members }) => members.length === 1).length
    const below = current
    current = await addLayer(await Promise.all(next.map((cluster, number) => summaryOf(cluster, below, number))))
    next = clustersOver(current)
  }
  if (options.singleRoot && current.length > 1) {
    const all = { members: current.map((_, index) => index) }
    await addLayer([await summaryOf(all, current, 0)])
  }
  return { nodes, layers, log, singleMemberClusters, stopped: next }
}
