import { itemAt } from '../../basics/collections.ts'
import { defineMethod } from '../../define.ts'
import { products } from '../../math/vectors.ts'
import { nameEntities, extractTriples, filterFacts } from '../../tasks/entities.ts'
import type { Chunk, Models } from '../../types.ts'
import { documentVectors } from '../shared/embed.ts'
import {
  edgesWithPassages,
  knowledgeGraph,
  knowledgeIndex,
  knowledgeOptions,
  type KnowledgeOptions,
  type Fact,
  type Knowledge,
  factText,
  type KnowledgeIndex,
  contextOf,
} from '../hipporag/knowledge.ts'
import { linkFacts, recognise, type LinkedFact } from './link-facts.ts'
import { damping, hipporag2Options } from '../hipporag/options.ts'
import { buildGraph, type SparseGraph } from '../../math/graph.ts'
import { pagerankSolver, type Pagerank } from '../../math/pagerank.ts'
import { minMax, roundScores } from '../shared/scores.ts'

/**
 * HippoRAG 2: a graph of the phrases of extracted facts and of the passages with them, walked from the facts nearest to
 * a question. Its loop of thoughts and retrievals (off in the paper's main runs) is the method `ircot`.
 */
export const hipporag2 = defineMethod({
  name: 'hipporag2',
  summary:
    'A graph of phrases and passages from extracted facts; personalised PageRank from the facts nearest to the question ranks passages.',
  paper: 'Gutiérrez et al. 2025, From RAG to Memory: Non-Parametric Continual Learning for Large Language Models',
  tasks: [nameEntities, extractTriples, filterFacts],
  options: hipporag2Options,
  prepares: { name: 'graph of hipporag2', options: knowledgeOptions, make: prepare },
  async index(chunks, models, options, sharedGraph) {
    const { knowledge, factVectors, passageVectors, graph } = sharedGraph ?? (await prepare(chunks, models, options))
    const { passages, phrases, facts, holders } = knowledge
    const walk = passageWalk(knowledge, graph, options.passageNodeWeight)
    return {
      nested: true,
      async retrieve({ text }, budget, models) {
        if (passages.length === 0) return []
        // the reference embeds a question once for facts and once for passages, by two instructions; here by one role
        const [toPassage, toFact = toPassage] = await models.embed(facts.length > 0 ? [text, text] : [text], 'query')
        if (!toPassage || !toFact) throw new Error('the embedding model returned no vector for the question')
        const dense = minMax(products(toPassage, passageVectors))
        const candidates = linkFacts(facts, factVectors, toFact)
        const { facts: keptFacts, fallbackReason } = await recognise(text, candidates, options, models)
        const seeds = phraseWeights(keptFacts, knowledge)
        const namesOf = (weights: readonly PhraseWeight[]) => weights.map(({ phrase }) => itemAt(phrases, phrase))
        const walkResult = keptFacts.length > 0 ? walk(seeds, dense) : undefined
        const denseReason = fallbackReason ?? (walkResult ? undefined : 'the walk has nowhere to start')
        const fallback =
          denseReason !== undefined
            ? `dense: ${denseReason}`
            : seeds.length === 0
              ? 'a walk from passages alone: no phrase of a kept fact has weight'
              : undefined
        const questionTrace = {
          linkedFacts: candidates.map(({ fact }) => textOf(fact)),
          keptFacts: keptFacts.map(({ fact }) => textOf(fact)),
          phrases: namesOf(seeds),
          phraseWeights: seeds.map(({ weight }) => weight),
          iterations: walkResult?.iterations ?? 0,
          ...(fallback !== undefined && { fallback }),
        }
        const passageScores = walkResult
          ? { scores: walkResult.scores, isReached: (row: number) => itemAt(walkResult.scores, row) > 0 }
          : { scores: dense }
        return contextOf(passages, passageScores, options, budget, questionTrace, (row) => ({
          dense: itemAt(dense, row),
          seeds: namesOf(seeds.filter(({ phrase }) => holders[phrase]?.includes(row))),
        }))
      },
      graph: () => knowledgeGraph(knowledge, true),
      stats: () => ({ ...knowledge.stats, contextEdges: holders.reduce((sum, rows) => sum + rows.length, 0) }),
      warnings: () => knowledge.warnings,
    }
  },
})

/** The part of the index that does not depend on retrieval options. */
async function prepare(chunks: readonly Chunk[], models: Models, options: KnowledgeOptions) {
  const knowledge = await knowledgeIndex(chunks, models, options)
  const factVectors = await documentVectors(knowledge.facts.map(textOf), models)
  const texts = knowledge.passages.map(({ text }) => text)
  const passageVectors = await documentVectors(texts, models)
  const graph = buildGraph(knowledge.phrases.length + texts.length, edgesWithPassages(knowledge))
  return { knowledge, factVectors, passageVectors, graph }
}

const textOf = ({ triple }: Fact): string => factText(triple)

/** The restart weight of a phrase, by row. */
interface PhraseWeight {
  readonly phrase: number
  readonly weight: number
}

/** Maximum number of seed phrases (released code). */
const maxPhrases = 5

/**
 * Weights of the phrases of the retained facts: the score of a fact over the number of passages with the phrase,
 * averaged over its occurrences; the heaviest are seeds (HippoRAG 2, its code). Ties go by fact, subject before object
 * (our reading); weights of 0 are dropped.
 */
function phraseWeights(facts: readonly LinkedFact[], { holders }: Pick<Knowledge, 'holders'>): PhraseWeight[] {
  const sums = new Map<number, { sum: number; times: number }>()
  for (const { fact, score } of facts)
    for (const phrase of [fact.subject, fact.object]) {
      if (phrase === undefined) continue
      const { sum, times } = sums.get(phrase) ?? { sum: 0, times: 0 }
      sums.set(phrase, { sum: sum + score / Math.max(1, holders[phrase]?.length ?? 0), times: times + 1 })
    }
  return Array.from(sums, ([phrase, { sum, times }]) => ({ phrase, weight: sum / times }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxPhrases)
}

/**
 * Walks the graph of phrases and passages (HippoRAG 2, section 3.2) from seed phrases, and from every passage by its
 * dense score times `passageNodeWeight`. Returns passage scores; undefined if all restart weights are 0.
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
