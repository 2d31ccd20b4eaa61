import { buildGraph, type SparseGraph } from '../../math/graph.ts'
import { pagerankSolver, type Pagerank } from '../../math/pagerank.ts'
import { rounded } from '../shared/rounded.ts'
import type { KnowledgeIndex } from '../hipporag/knowledge-index.ts'
import type { PhraseWeight } from './phrase-weights.ts'

/** What a walk is worth to each passage, the sweeps that it took, and whether these were enough. */
export type Walked = Pagerank

/**
 * Walks the graph of phrases and passages (`passageGraph`) (HippoRAG 2, section 3.2): from seed phrases, and from every passage by its dense score
 * times `passageNodeWeight`. Undefined when there is nowhere to start.
 */
export function passageWalk(
  { phrases: { length: phrases } }: Pick<KnowledgeIndex, 'phrases'>,
  graph: SparseGraph,
  options: { readonly damping: number; readonly passageNodeWeight: number },
): (seeds: readonly PhraseWeight[], dense: Float64Array) => Walked | undefined {
  const walk = pagerankSolver(graph, { damping: options.damping })
  return (seeds, dense) => {
    const reset = new Float64Array(graph.nodes)
    for (const { phrase, weight } of seeds) reset[phrase] = weight
    for (const [row, score] of dense.entries()) reset[phrases + row] = score * options.passageNodeWeight
    if (!reset.some((mass) => mass > 0)) return undefined
    const { scores, ...rest } = walk(reset)
    return { scores: rounded(scores.subarray(phrases)), ...rest }
  }
}

/** Phrases, then passages: an edge of weight 1 from each passage to every phrase that it holds. */
export function passageGraph({ phrases, holders, passages, edges }: KnowledgeIndex): SparseGraph {
  const context = holders.flatMap((own, phrase) => own.map((passage) => ({ passage, phrase })))
  return buildGraph(phrases.length + passages.length, {
    from: [...Array.from(edges.from), ...context.map(({ passage }) => phrases.length + passage)],
    to: [...Array.from(edges.to), ...context.map(({ phrase }) => phrase)],
    weight: [...Array.from(edges.weight), ...context.map(() => 1)],
  })
}
