import { countEach } from '../../basics/collections.ts'
import { defineMethod } from '../../define.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import type { Graph, Passage, IndexStats } from '../../types.ts'
import { summarise } from '../../tasks/pieces.ts'
import { groupsInScope } from '../shared/whole-documents.ts'
import { queryVector } from '../shared/embed.ts'
import { refuseAllLost } from '../shared/attempt.ts'
import { leavesOf } from './leaves.ts'
import { raptorOptions, reductionDimension, topK } from './options.ts'
import { rankCollapsedTree, type RankedNode, growTree, type Tree } from './tree.ts'

/**
 * RAPTOR: a tree of summaries over softly clustered chunks, searched as one list. The same seed gives the same tree in
 * any order of chunks. If a mixture cannot be fitted, a simpler clustering replaces it, and warnings count that.
 */
export const raptor = defineMethod({
  name: 'raptor',
  summary:
    'A tree of summaries: chunks are soft-clustered and each cluster is summarised, layer by layer, until few nodes are left.',
  paper:
    'Sarthi et al., RAPTOR: Recursive Abstractive Processing for Tree-Organized Retrieval (parthsarthi03/raptor@2e3e83e)',
  tasks: [summarise],
  options: raptorOptions,
  async index(chunks, models, options) {
    const leaves = leavesOf(chunks, options)
    // a document of at most this many leaves is never clustered alone
    const { scope, groups } = groupsInScope(leaves, options.scope, reductionDimension + 1)
    const trees = await Promise.all(groups.map((group) => growTree(group, models, options)))
    refuseAllLost(
      summarise,
      trees.flatMap(({ nodes, errors }) => [...errors, ...nodes.filter(({ layer }) => layer > 0)]),
    )
    return {
      limits: { passages: topK, tokens: options.maxTokens },
      nested: true,
      async retrieve({ text }, { passages }, models) {
        if (trees.length === 0) return []
        const question = await queryVector(text, models)
        return rankCollapsedTree(trees, question).slice(0, passages).map(passageOf)
      },
      graph: () => drawingOf(trees),
      stats: () => statsOf(trees, scope),
      warnings: () => warningsOf(trees),
    }
  },
})

const passageOf = ({ node, score, similarity }: RankedNode): Passage => ({
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

function statsOf(trees: readonly Tree[], scope: string): IndexStats {
  const highest = Math.max(0, ...trees.map(({ layers }) => layers.length))
  const nodesPerLayer = Array.from({ length: highest }, (_, layer) =>
    sum(trees.map(({ layers }) => layers[layer]?.length ?? 0)),
  )
  return { scope, trees: trees.length, nodesPerLayer, summaries: sum(nodesPerLayer.slice(1)) }
}

function warningsOf(trees: readonly Tree[]): Readonly<Record<string, number>> {
  const fallbackCounts = countEach(
    trees.flatMap(({ log }) => log.fallbacks.map(({ from, to }) => `from ${from} to ${to}`)),
  )
  return {
    ...Object.fromEntries(Array.from(fallbackCounts, ([kind, count]) => [`clusterings that fell back ${kind}`, count])),
    'trees without a summary': trees.filter(({ layers }) => layers.length < 2).length,
    'summaries that could not be read or were refused': sum(trees.map(({ errors }) => errors.length)),
    'summaries cut at summaryTokens': sum(trees.map(({ cutSummaries }) => cutSummaries)),
    'clusters too long for one summary that clustering could not split and that were cut in text order': sum(
      trees.map(({ log }) => log.cut),
    ),
    'trees that ended early because the next layer would have had nearly as many nodes': trees.filter(
      ({ stopReason }) => stopReason === 'staircase',
    ).length,
  }
}
