import { defineMethod } from '../../define.ts'
import type { Graph, Passage, IndexStats, CorpusFacts, Estimate, ExpectedCalls, MethodCosts } from '../../types.ts'
import { summarise } from '../../tasks/pieces.ts'
import { byDocument } from '../shared/whole-documents.ts'
import { queryVector } from '../shared/embed.ts'
import { refuseAllLost } from '../shared/attempt.ts'
import type { Scope } from '../shared/scope.ts'
import { leavesOf, scopeOfTrees, type Leaf } from './leaves.ts'
import { raptorOptions, type RaptorOptions } from './options.ts'
import { place, splitAtBase } from './place.ts'
import { collapsed, traversal, type FoundNode, grow, type Tree } from './tree.ts'
import { once } from '../../basics/memoise.ts'
import { exactly, sumOf, embedCalls, taskCalls } from '../../math/expected.ts'
import { embeddedQuestions, filledContext } from '../shared/expected-calls.ts'

/**
 * RAPTOR: a tree of summaries over softly clustered chunks, searched as one list or from the top down. Seeded
 * throughout: the same seed gives the same tree, in whatever order the chunks come. Where a mixture cannot be fitted a
 * simpler way of clustering takes its place, and the index statistics say so.
 */
export const raptor = defineMethod({
  name: 'raptor',
  summary:
    'A tree of summaries: chunks are soft-clustered and each cluster is summarised, layer by layer, until few nodes are left.',
  paper:
    'Sarthi et al., RAPTOR: Recursive Abstractive Processing for Tree-Organized Retrieval (parthsarthi03/raptor@2e3e83e)',
  tasks: [summarise],
  options: raptorOptions,
  embedsChunks: ({ splitter }) => splitter === 'run',
  costs: raptorCosts,
  paperCalls: { formula: '1 a cluster', count: (_, stat) => stat('summaries') + stat('summariesLost') },
  async index(chunks, models, options) {
    const { first, others } = splitAtBase(chunks, options)
    const [leaves, later] = [leavesOf(first, options), leavesOf(others, options)]
    const scope = scopeOfTrees(leaves, options)
    const ofDocuments = (): Promise<Tree>[] =>
      [...byDocument([...leaves, ...later]).values()].map((group) => grow(group, models, options))
    const ofCorpus = async (): Promise<Tree> => place(await grow(leaves, models, options), later, models, options)
    const isEmpty = leaves.length + later.length === 0
    const trees = await Promise.all(isEmpty ? [] : scope === 'corpus' ? [ofCorpus()] : ofDocuments())
    refuseAllLost(
      summarise,
      trees.flatMap(({ nodes, lost }) => [...lost, ...nodes.filter(({ layer }) => layer > 0)]),
    )
    return {
      limits: { passages: options.topK, tokens: options.maxTokens },
      nested: true,
      async retrieve({ text }, { passages }, models) {
        if (trees.length === 0) return []
        const question = await queryVector(text, models)
        const found =
          options.retrieval === 'collapsed'
            ? collapsed(trees, question)
            : traversal(trees, question, options.traversalTopK)
        return found.slice(0, passages).map(passageOf)
      },
      graph: () => drawingOf(trees),
      stats: () => statsOf(trees, scope),
      warnings: () => warningsOf(trees, options),
    }
  },
})

const passageOf = ({ node, score, similarity }: FoundNode): Passage => ({
  text: node.text,
  score,
  from: node.from,
  kind: node.layer === 0 ? 'chunk' : 'summary',
  ...(node.span && { spans: [node.span] }),
  why: {
    layer: node.layer,
    similarity,
    ...(node.cluster !== undefined && { cluster: node.cluster, children: node.children }),
    ...(node.posteriors && { posteriors: node.posteriors }),
  },
})

/** The trees as one drawing: an edge from every summary to each of its children. */
function drawingOf(trees: readonly Tree[]): Graph {
  const nodes: Graph['nodes'][number][] = []
  const edges: Graph['edges'][number][] = []
  for (const [number, tree] of trees.entries()) {
    const offset = nodes.length
    for (const { layer, text, children, cluster, number: node } of tree.nodes) {
      const id = `tree ${number + 1} node ${node}`
      nodes.push({
        id,
        kind: layer === 0 ? 'chunk' : 'summary',
        text,
        group: layer,
        data: { layer, ...(cluster !== undefined && { cluster }) },
      })
      for (const child of children)
        edges.push({ from: offset + node, to: offset + child, weight: 1, kind: 'summary of' })
    }
  }
  const top = Math.max(0, ...trees.map(({ layers }) => layers.length - 1))
  return { nodes, edges, groups: Array.from({ length: top }, (_, below) => `layer ${below + 1}`) }
}

/** What was built, summed over the trees; what fell back, and why each tree ended, stands there in words. */
export function statsOf(trees: readonly Tree[], scope: Scope): IndexStats {
  const sum = sumOver(trees)
  const highest = Math.max(0, ...trees.map(({ layers }) => layers.length))
  return {
    scope,
    trees: trees.length,
    treesWithoutSummary: sum(hasNoSummary),
    layers: highest,
    nodesPerLayer: Array.from({ length: highest }, (_, layer) => sum(({ layers }) => layers[layer]?.length ?? 0)),
    summaries: sum(({ nodes }) => nodes.filter(({ layer }) => layer > 0).length),
    summariesLost: sum(({ lost }) => lost.length),
    summariesCut: sum(({ cutSummaries }) => cutSummaries),
    singleMemberClusters: sum((tree) => tree.singleMemberClusters),
    reclusterings: sum(({ log }) => log.reclusterings),
    cutInTextOrder: sum(({ log }) => log.cut),
    ...(trees.some(({ placed }) => placed) && {
      leavesPlaced: sum(({ placed }) => placed?.leaves ?? 0),
      leavesWithoutCluster: sum(({ placed }) => placed?.alone ?? 0),
    }),
    stopped: trees.map(({ stopped }) => stopped),
    fallbacks: trees.flatMap(({ log }, tree) =>
      log.fallbacks.map(({ at, from, to, reason }) => `tree ${tree}: ${at}: ${from} to ${to}: ${reason}`),
    ),
  }
}

/** What was done otherwise than asked, counted in words that end a note. */
export function warningsOf(
  trees: readonly Tree[],
  { numLayers }: Pick<RaptorOptions, 'numLayers'>,
): Readonly<Record<string, number>> {
  const sum = sumOver(trees)
  const falls = trees.flatMap(({ log }) => log.fallbacks.map(({ from, to }) => `from ${from} to ${to}`))
  const kinds = [...new Set(falls)]
  return {
    ...Object.fromEntries(
      kinds.map((kind) => [`clusterings that fell back ${kind}`, falls.filter((fall) => fall === kind).length]),
    ),
    'trees without a summary': numLayers === 0 ? 0 : sum(hasNoSummary),
    'summaries that could not be read or were refused': sum(({ lost }) => lost.length),
    'summaries cut at summaryTokens': sum(({ cutSummaries }) => cutSummaries),
    'clusters too long for one summary that clustering could not split and that were cut in text order': sum(
      ({ log }) => log.cut,
    ),
    'trees that ended early because the next layer would have had nearly as many nodes': sum(({ stopped }) =>
      Number(stopped === 'staircase'),
    ),
  }
}

const hasNoSummary = ({ layers }: Tree): number => Number(layers.length < 2)

const sumOver =
  (trees: readonly Tree[]) =>
  (of: (tree: Tree) => number): number =>
    trees.reduce((total, tree) => total + of(tree), 0)

/** Nodes for each cluster of a layer, at least, likely and at most. */
type NodesPerCluster = (nodes: number) => number
const few: NodesPerCluster = () => 2.5
const many: NodesPerCluster = () => 8
/** Larger layers have larger clusters (measured with MiniLM on the sample dataset), up to the paper's mean of 6.7. */
const usual: NodesPerCluster = (nodes) => Math.max(2.5, Math.min(6.7, 4.35 + 0.75 * Math.log2(nodes / 28)))

/** What trees are expected to cost: a summary a cluster, layer by layer, and an embedding call a layer. */
function raptorCosts(facts: CorpusFacts, options: RaptorOptions): MethodCosts {
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
