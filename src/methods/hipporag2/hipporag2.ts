import { itemAt } from '../../basics/collections.ts'
import { defineMethod } from '../../define.ts'
import { products } from '../../math/vectors.ts'
import { nameEntities, extractTriples, filterFacts } from '../../tasks/entities.ts'
import type { Chunk, Models, Trace } from '../../types.ts'
import { documentVectors } from '../shared/embed.ts'
import { contextOf, minMax } from '../hipporag/context.ts'
import {
  knowledgeGraph,
  knowledgeIndex,
  knowledgeOptions,
  type KnowledgeOptions,
  type Fact,
  type Knowledge,
  factText,
  type KnowledgeIndex,
} from '../hipporag/knowledge.ts'
import { linkFacts, recognise, type LinkedFact, type Recognised } from './link-facts.ts'
import { damping, hipporag2Options } from '../hipporag/options.ts'
import { buildGraph, type SparseGraph } from '../../math/graph.ts'
import { pagerankSolver, type Pagerank } from '../../math/pagerank.ts'
import { roundScores } from '../shared/pack-numbers.ts'

/**
 * HippoRAG 2: a graph of the phrases of extracted facts and of the passages that hold them, walked from the facts that
 * a question brings to mind. Two of its parts belong elsewhere here: the one-shot answer prompt (every method shares
 * one) and its loop of thoughts and retrievals (IRCoT), which is off in the paper's main runs.
 */
export const hipporag2 = defineMethod({
  name: 'hipporag2',
  summary:
    'A graph of phrases and passages from extracted facts; personalised PageRank from the facts nearest to the question ranks passages.',
  paper: 'Gutiérrez et al. 2025, From RAG to Memory: Non-Parametric Continual Learning for Large Language Models',
  tasks: [nameEntities, extractTriples, filterFacts],
  options: hipporag2Options,
  prepares: { name: 'graph of hipporag2', options: knowledgeOptions, make: prepare },
  async index(chunks, models, options, prepared) {
    const { knowledge, factVectors, passageVectors, graph } = prepared ?? (await prepare(chunks, models, options))
    const { passages, facts, holders } = knowledge
    const walk = passageWalk(knowledge, graph, options.passageNodeWeight)
    return {
      nested: true,
      async retrieve({ text }, budget, models) {
        if (passages.length === 0) return []
        // the reference embeds a question twice, with one instruction for facts and one for passages; ours both have
        // the role "query"
        const [toPassage, toFact = toPassage] = await models.embed(facts.length > 0 ? [text, text] : [text], 'query')
        if (!toPassage || !toFact) throw new Error('the embedding model returned no vector for the question')
        const dense = minMax(products(toPassage, passageVectors))
        const linked = linkFacts(facts, factVectors, toFact)
        const recognised = await recognise(text, linked, options, models)
        const seeds = phraseWeights(recognised.kept, knowledge)
        const walked = recognised.kept.length > 0 ? walk(seeds, dense) : undefined
        const { qaTopK, padding } = options
        const most = Math.min(qaTopK ?? Infinity, budget.passages)
        const asked = traceOf(knowledge, linked, recognised, seeds, walked)
        const worth = walked
          ? { scores: walked.scores, reached: (row: number) => itemAt(walked.scores, row) > 0 }
          : { scores: dense }
        return contextOf(passages, worth, { most, padding }, asked, (row) => ({
          dense: itemAt(dense, row),
          seeds: namesOf(
            knowledge,
            seeds.filter(({ phrase }) => holders[phrase]?.includes(row)),
          ),
        }))
      },
      graph: () => knowledgeGraph(knowledge, true),
      stats: () => ({ ...knowledge.stats, contextEdges: holders.reduce((sum, own) => sum + own.length, 0) }),
      warnings: () => knowledge.warnings,
    }
  },
})

/** All that does not depend on how a question is linked and the graph walked. */
async function prepare(chunks: readonly Chunk[], models: Models, options: KnowledgeOptions) {
  const knowledge = await knowledgeIndex(chunks, models, options)
  const factVectors = await documentVectors(knowledge.facts.map(textOf), models)
  const texts = knowledge.passages.map(({ text }) => text)
  const passageVectors = await documentVectors(texts, models)
  return { knowledge, factVectors, passageVectors, graph: passageGraph(knowledge) }
}

/** What all passages of a question share: what it brought to mind, and what became of that. */
function traceOf(
  knowledge: Knowledge,
  linked: readonly LinkedFact[],
  recognised: Recognised,
  seeds: readonly PhraseWeight[],
  walked: Pagerank | undefined,
): Trace {
  const fallback = fallbackOf(recognised, seeds, walked)
  return {
    linkedFacts: linked.map(({ fact }) => textOf(fact)),
    keptFacts: recognised.kept.map(({ fact }) => textOf(fact)),
    phrases: namesOf(knowledge, seeds),
    phraseWeights: seeds.map(({ weight }) => weight),
    iterations: walked?.iterations ?? 0,
    ...(fallback !== undefined && { fallback }),
  }
}

/** What stood in for the walk from phrases, and why. */
function fallbackOf(
  { lack }: Recognised,
  seeds: readonly PhraseWeight[],
  walked: Pagerank | undefined,
): string | undefined {
  if (lack !== undefined) return `dense: ${lack}`
  if (!walked) return 'dense: the walk has nowhere to start'
  return seeds.length === 0 ? 'a walk from passages alone: no phrase of a kept fact has weight' : undefined
}

const textOf = ({ triple }: Fact): string => factText(triple)

const namesOf = ({ phrases }: Knowledge, seeds: readonly PhraseWeight[]): readonly string[] =>
  seeds.map(({ phrase }) => itemAt(phrases, phrase))

/** A phrase by its row, and its mass in the reset. */
interface PhraseWeight {
  readonly phrase: number
  readonly weight: number
}

/** Phrases of the kept facts that PageRank restarts from (released code). */
const mostPhrases = 5

/**
 * The phrases of the kept facts: each end of a fact gets its score over the number of passages that hold the phrase,
 * averaged over the times it was met; the heaviest are kept (HippoRAG 2, its code). Equal ones go by fact, subject
 * before object (our reading); a fact scored 0 gives none.
 */
export function phraseWeights(kept: readonly LinkedFact[], { holders }: Pick<Knowledge, 'holders'>): PhraseWeight[] {
  const met = new Map<number, { sum: number; times: number }>()
  for (const { fact, score } of kept)
    for (const phrase of [fact.subject, fact.object]) {
      if (phrase === undefined) continue
      const { sum, times } = met.get(phrase) ?? { sum: 0, times: 0 }
      met.set(phrase, { sum: sum + score / Math.max(1, holders[phrase]?.length ?? 0), times: times + 1 })
    }
  return Array.from(met, ([phrase, { sum, times }]) => ({ phrase, weight: sum / times }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, mostPhrases)
}

/**
 * Walks the graph of phrases and passages (HippoRAG 2, section 3.2): from seed phrases, and from every passage by its
 * dense score times `passageNodeWeight`. Gives what that is worth to each passage; undefined where there is no start.
 */
function passageWalk(
  { phrases: { length: phrases } }: Pick<KnowledgeIndex, 'phrases'>,
  graph: SparseGraph,
  passageNodeWeight: number,
): (seeds: readonly PhraseWeight[], dense: Float64Array) => Pagerank | undefined {
  const walk = pagerankSolver(graph, { damping })
  return (seeds, dense) => {
    const reset = new Float64Array(graph.nodes)
    for (const { phrase, weight } of seeds) reset[phrase] = weight
    for (const [row, score] of dense.entries()) reset[phrases + row] = score * passageNodeWeight
    if (!reset.some((mass) => mass > 0)) return undefined
    const { scores, ...rest } = walk(reset)
    return { scores: roundScores(scores.subarray(phrases)), ...rest }
  }
}

/** Phrases, then passages: an edge of weight 1 from each passage to every phrase that it holds. */
function passageGraph({ phrases, holders, passages, edges }: KnowledgeIndex): SparseGraph {
  const context = holders.flatMap((own, phrase) => own.map((passage) => ({ passage, phrase })))
  return buildGraph(phrases.length + passages.length, {
    from: [...Array.from(edges.from), ...context.map(({ passage }) => phrases.length + passage)],
    to: [...Array.from(edges.to), ...context.map(({ phrase }) => phrase)],
    weight: [...Array.from(edges.weight), ...context.map(() => 1)],
  })
}
