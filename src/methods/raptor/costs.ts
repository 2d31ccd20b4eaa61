import { once } from '../../basics/memoise.ts'
import { exactly, sumOf, embedCalls, taskCalls } from '../../math/expected.ts'
import { summarise } from '../../tasks/pieces.ts'
import type { CorpusFacts, Estimate, ExpectedCalls, MethodCosts } from '../../types.ts'
import { byDocument } from '../shared/whole-documents.ts'
import { embeddedQuestions, filledContext } from '../shared/expected-calls.ts'
import { leavesOf, scopeOfTrees, type Leaf } from './leaves.ts'
import type { RaptorOptions } from './options.ts'
import { splitAtBase } from './place.ts'

/** Nodes for each cluster of a layer, at least, likely and at most. */
type NodesPerCluster = (nodes: number) => number
const few: NodesPerCluster = () => 2.5
const many: NodesPerCluster = () => 8
/** Larger layers have larger clusters (measured with MiniLM on the sample dataset), up to the paper's mean of 6.7. */
const usual: NodesPerCluster = (nodes) => Math.max(2.5, Math.min(6.7, 4.35 + 0.75 * Math.log2(nodes / 28)))

/** What trees are expected to cost: a summary a cluster, layer by layer, and an embedding call a layer. */
export function raptorCosts(facts: CorpusFacts, options: RaptorOptions): MethodCosts {
  const { chunks, budget, countTokens } = facts
  const { first, others } = splitAtBase(chunks, options)
  const [leaves, later] = [leavesOf(first, options), leavesOf(others, options)]
  const isGrown = scopeOfTrees(leaves, options) === 'corpus'
  const groups = isGrown ? [leaves] : [...byDocument([...leaves, ...later]).values()]
  const lengthsOf = (group: readonly Leaf[]) => group.map(({ text }) => countTokens(text))
  const lengths = groups.map(lengthsOf)
  const placed = isGrown ? lengthsOf(later) : []
  const clustered = lengths.some((group) => group.length > options.reductionDimension + 1 && options.numLayers > 0)
  return {
    drawsAtIndex: clustered,
    index: lengths
      .filter((group) => group.length > 0)
      .flatMap((group) => treeCosts(group, placed, options, countTokens)),
    retrieve: [embeddedQuestions(facts)],
    context: once(() =>
      filledContext([...lengths.flat(), ...placed], budget, { passages: options.topK, tokens: options.maxTokens }),
    ),
  }
}

function treeCosts(
  leaves: readonly number[],
  placed: readonly number[],
  options: RaptorOptions,
  countTokens: (text: string) => number,
): readonly ExpectedCalls[] {
  const trees = {
    low: grown(growth(leaves, many, options), placed, (_, joining) => Math.min(1, joining)),
    expected: grown(growth(leaves, usual, options), placed, hit),
    high: grown(growth(leaves, few, options), placed, Math.min),
  }
  const of = (field: Exclude<keyof Growth, 'made'>): Estimate => ({
    low: trees.low[field],
    expected: trees.expected[field],
    high: trees.high[field],
  })
  const { summaryTokens: tokens } = options
  const asked = {
    calls: of('summaries'),
    texts: of('summarised'),
    reply: { low: tokens / 2, expected: tokens, high: tokens },
  }
  const summaries = taskCalls(summarise, { texts: [], tokens }, asked, countTokens)
  const leafTokens = [...leaves, ...placed].reduce((sum, length) => sum + length, 0)
  return [summaries, embedCalls(of('layers'), sumOf(exactly(leafTokens), summaries.completionTokens))]
}

/** A tree to be: its layers, its summaries, and the tokens that are summarised. */
interface Growth {
  readonly layers: number
  readonly summaries: number
  readonly summarised: number
  /** The summaries of each layer, and the tokens that they summarise. */
  readonly made: readonly { readonly clusters: number; readonly tokens: number }[]
}

/** Clusters that so many new members are expected to join, where each joins any. */
const hit = (clusters: number, joining: number): number => clusters * (1 - (1 - 1 / clusters) ** joining)

/** The tree with the leaves that are placed afterwards: one embedding call of these, and of each layer made again. */
function grown(tree: Growth, placed: readonly number[], joined: typeof hit): Growth {
  if (placed.length === 0) return tree
  let { layers, summaries, summarised } = tree
  let joining = placed.length
  layers++
  for (const [layer, { clusters, tokens }] of tree.made.entries()) {
    const again = joined(clusters, joining)
    layers++
    summaries += again
    summarised += (again * tokens) / clusters + (layer === 0 ? placed.reduce((sum, length) => sum + length, 0) : 0)
    joining = again
  }
  return { ...tree, layers, summaries, summarised }
}

function growth(
  leaves: readonly number[],
  perCluster: NodesPerCluster,
  { reductionDimension, numLayers, summaryTokens, maxClusterTokens, singleRoot }: RaptorOptions,
): Growth {
  let nodes = leaves.length
  let tokens = leaves.reduce((sum, length) => sum + length, 0)
  let [layers, summaries, summarised] = [1, 0, 0]
  const made: { clusters: number; tokens: number }[] = []
  const summarise = (clusters: number): void => {
    layers++
    made.push({ clusters, tokens })
    summaries += clusters
    summarised += tokens
    nodes = clusters
    tokens = clusters * summaryTokens
  }
  while (nodes > reductionDimension + 1 && layers <= numLayers)
    summarise(Math.max(1, Math.round(Math.max(nodes / perCluster(nodes), tokens / maxClusterTokens))))
  if (singleRoot && nodes > 1) summarise(1)
  return { layers, summaries, summarised, made }
}
