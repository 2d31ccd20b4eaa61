import { defineMethod } from '../../define.ts'
import type { Graph, Passage } from '../../types.ts'
import { summarise } from '../../tasks/summarise.ts'
import { byDocument } from '../shared/by-document.ts'
import { queryVector } from '../shared/embed.ts'
import { refuseAllLost } from '../shared/run-each.ts'
import { statsOf, warningsOf } from './index-stats.ts'
import { leavesOf } from './leaves.ts'
import { scopeOf } from './scope.ts'
import { formerOptions, raptorOptions } from './options.ts'
import { collapsed, traversal, type FoundNode } from './search.ts'
import { grow, type Tree } from './tree.ts'
import { raptorCosts } from './costs.ts'

/**
 * RAPTOR: a tree of summaries over softly clustered chunks, searched as one list or from the top down. Seeded throughout: the same
 * seed gives the same tree, in whatever order the chunks come. Where a mixture cannot be fitted a simpler way of clustering takes
 * its place, and the index statistics say so.
 */
export const raptor = defineMethod({
  name: 'raptor',
  summary:
    'A tree of summaries: chunks are soft-clustered and each cluster is summarised, layer by layer, until few nodes are left.',
  paper:
    'Sarthi et al., RAPTOR: Recursive Abstractive Processing for Tree-Organized Retrieval (parthsarthi03/raptor@2e3e83e)',
  tasks: [summarise],
  options: raptorOptions,
  former: formerOptions,
  embedsChunks: ({ splitter }) => splitter === 'run',
  costs: raptorCosts,
  paperCalls: { formula: '1 a cluster', count: (_, stat) => stat('summaries') + stat('summariesLost') },
  async index(chunks, models, options) {
    const leaves = leavesOf(chunks, options)
    const scope = scopeOf(leaves, options)
    const groups = scope === 'corpus' ? [leaves] : [...byDocument(leaves).values()]
    const trees = await Promise.all(
      groups.filter((group) => group.length > 0).map((group) => grow(group, models, options)),
    )
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
