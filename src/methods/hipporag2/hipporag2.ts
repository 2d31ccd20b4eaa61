import { defineMethod } from '../../define.ts'
import { products } from '../../math/vectors.ts'
import { nameEntities } from '../../tasks/entities/name-entities.ts'
import { extractTriples } from '../../tasks/entities/extract-triples.ts'
import { filterFacts } from '../../tasks/entities/filter-facts.ts'
import type { Chunk, Models, Trace } from '../../types.ts'
import { documentVectors } from '../shared/embed.ts'
import { fallbackOfWalk } from '../shared/fallback-of-walk.ts'
import { contextOf } from '../hipporag/context.ts'
import { knowledgeGraph, knowledgeIndex, knowledgeOptions, type KnowledgeOptions } from '../hipporag/knowledge-index.ts'
import type { Fact, Knowledge } from '../hipporag/knowledge.ts'
import { linkFacts, recognise, type LinkedFact, type Recognised } from './link-facts.ts'
import { minMax } from '../hipporag/min-max.ts'
import { factText } from '../hipporag/normalise.ts'
import { hipporag2Options } from '../hipporag/options.ts'
import { passageGraph, passageWalk, type Walked } from './passage-walk.ts'
import { phraseWeights, type PhraseWeight } from './phrase-weights.ts'
import { hipporag2Costs } from './costs.ts'

/**
 * HippoRAG 2: a graph of the phrases of extracted facts and of the passages that hold them, walked from the facts that a question
 * brings to mind. Two of its parts belong elsewhere here: the one-shot answer prompt (every method shares one) and its loop of thoughts
 * and retrievals (IRCoT), which is off in the paper's main runs.
 */
export const hipporag2 = defineMethod({
  name: 'hipporag2',
  summary:
    'A graph of phrases and passages from extracted facts; personalised PageRank from the facts nearest to the question ranks passages.',
  paper: 'Gutiérrez et al. 2025, From RAG to Memory: Non-Parametric Continual Learning for Large Language Models',
  tasks: [nameEntities, extractTriples, filterFacts],
  options: hipporag2Options,
  embedsChunks: () => true,
  prepares: { name: 'graph of hipporag2', options: knowledgeOptions, make: prepare },
  costs: hipporag2Costs,
  paperCalls: { formula: '2 a chunk', count: (_, stat) => 2 * stat('passages') },
  async index(chunks, models, options, prepared) {
    const { knowledge, factVectors, passageVectors, graph } = prepared ?? (await prepare(chunks, models, options))
    const { passages, facts, holders } = knowledge
    const walk = passageWalk(knowledge, graph, options)
    return {
      nested: true,
      async retrieve({ text }, budget, models) {
        if (passages.length === 0) return []
        // the reference embeds a question twice, with one instruction for facts and one for passages; ours both have the role "query"
        const [toPassage, toFact = toPassage] = await models.embed(facts.length > 0 ? [text, text] : [text], 'query')
        if (!toPassage || !toFact) throw new Error('the embedding model returned no vector for the question')
        const dense = minMax(products(toPassage, passageVectors))
        const linked = linkFacts(facts, factVectors, toFact, options.linkingTopK)
        const recognised = await recognise(text, linked, options, models)
        const seeds = phraseWeights(recognised.kept, knowledge, options.topPhrases)
        const walked = recognised.kept.length > 0 ? walk(seeds, dense) : undefined
        const { qaTopK, retrievalTopK, padding } = options
        const most = Math.min(qaTopK ?? Infinity, retrievalTopK ?? Infinity, budget.passages)
        const asked = traceOf(knowledge, linked, recognised, seeds, walked)
        const worth = walked
          ? { scores: walked.scores, reached: (row: number) => (walked.scores[row] ?? 0) > 0 }
          : { scores: dense }
        return contextOf(passages, worth, { most, padding }, asked, (row) => ({
          dense: dense[row] ?? 0,
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
  walked: Walked | undefined,
): Trace {
  const fallback = fallbackOfWalk(walked, fallbackOf(recognised, seeds, walked))
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
  walked: Walked | undefined,
): string | undefined {
  if (lack !== undefined) return `dense: ${lack}`
  if (!walked) return 'dense: the walk has nowhere to start'
  return seeds.length === 0 ? 'a walk from passages alone: no phrase of a kept fact has weight' : undefined
}

const textOf = ({ triple }: Fact): string => factText(triple)

const namesOf = ({ phrases }: Knowledge, seeds: readonly PhraseWeight[]): readonly string[] =>
  seeds.map(({ phrase }) => phrases[phrase] ?? '')
