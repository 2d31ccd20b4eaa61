import { itemAt } from '../../basics/collections.ts'
import { defineMethod } from '../../define.ts'
import { buildGraph } from '../../math/graph.ts'
import { pagerankSolver } from '../../math/pagerank.ts'
import { topKForQueries } from '../../math/vectors.ts'
import { groundingOf } from '../../tasks/grounding.ts'
import { nameEntities, nameQuestionEntities, extractTriples } from '../../tasks/entities.ts'
import type { Chunk, Models } from '../../types.ts'
import {
  knowledgeGraph,
  knowledgeIndex,
  type KnowledgeIndex,
  knowledgeOptions,
  type KnowledgeOptions,
  type Fact,
  normalPhrase,
  contextOf,
} from './knowledge.ts'
import { damping, hipporagOptions } from './options.ts'
import { minMax, roundScores } from '../shared/scores.ts'
import { ModelError } from '../../errors.ts'
import { attempt, lossOf } from '../shared/attempt.ts'

/** HippoRAG, version 1: the graph of phrases alone, walked from the phrases nearest to the question's entities. */
export const hipporag = defineMethod({
  name: 'hipporag',
  summary:
    'A graph of phrases from extracted facts; personalised PageRank from the entities of the question ranks passages by their facts.',
  paper: 'Gutiérrez et al. 2024, HippoRAG: Neurobiologically Inspired Long-Term Memory for Large Language Models',
  tasks: [nameEntities, nameQuestionEntities, extractTriples],
  options: hipporagOptions,
  prepares: { name: 'graph of hipporag', options: knowledgeOptions, make: prepare },
  async index(chunks, models, options, sharedGraph) {
    const { knowledge, graph } = sharedGraph ?? (await prepare(chunks, models, options))
    const { passages, phrases, facts, holders } = knowledge
    const walk = pagerankSolver(graph, { damping })

    /** Passage scores of the walk from the linked phrases; uniform without a link. */
    const worthFrom = (links: readonly LinkedEntity[]): Float64Array => {
      if (links.length === 0) return new Float64Array(passages.length).fill(1 / passages.length)
      const reset = new Float64Array(phrases.length)
      // node specificity (paper): 1 over the number of passages with the phrase
      for (const { phrase } of links) reset[phrase] = 1 / (holders[phrase]?.length ?? 1)
      return roundScores(worthOf(facts, walk(reset).scores, passages.length))
    }

    return {
      nested: true,
      async retrieve({ text }, budget, models) {
        if (passages.length === 0) return []
        const { links, droppedNames, reason } = await linkEntities(text, knowledge, options, models)
        const worth = worthFrom(links)
        const scores = links.length > 0 ? minMax(worth) : worth
        const questionTrace = {
          entities: links.map(({ entity }) => entity),
          phrases: links.map(({ phrase }) => itemAt(phrases, phrase)),
          similarities: links.map(({ similarity }) => similarity),
          ...(droppedNames.length > 0 && { droppedEntities: droppedNames }),
          ...(reason !== undefined && { fallback: `all passages alike: ${reason}` }),
        }
        // by unscaled scores: the lowest of all reached passages is scaled to 0
        const isReached = (row: number) => itemAt(worth, row) > 0
        return contextOf(passages, { scores, isReached }, options, budget, questionTrace, (row) => ({
          walk: itemAt(scores, row),
        }))
      },
      graph: () => knowledgeGraph(knowledge, false),
      stats: () => knowledge.stats,
      warnings: () => knowledge.warnings,
    }
  },
})

async function prepare(chunks: readonly Chunk[], models: Models, options: KnowledgeOptions) {
  const knowledge = await knowledgeIndex(chunks, models, options)
  return { knowledge, graph: buildGraph(knowledge.phrases.length, knowledge.edges) }
}

/** The sum over a passage's facts of their phrases' scores: (passages × facts) · (facts × phrases) · scores. */
function worthOf(facts: readonly Fact[], scores: Float64Array, passages: number): Float64Array {
  const worth = new Float64Array(passages)
  for (const { subject, object, passages } of facts) {
    const ends = new Set([subject, object])
    const fact = [...ends].reduce<number>((sum, end) => sum + (end === undefined ? 0 : itemAt(scores, end)), 0)
    for (const row of passages) worth[row] = itemAt(worth, row) + fact
  }
  return worth
}

/** The phrase nearest to an entity of the question. */
interface LinkedEntity {
  readonly entity: string
  readonly phrase: number
  readonly similarity: number
}

/**
 * Links each entity of a question to its nearest phrase (HippoRAG, section 2.3). `droppedNames`: not in the question,
 * or repeat the prompt's example; `reason`: why nothing is linked.
 */
async function linkEntities(
  question: string,
  { phraseVectors, language }: KnowledgeIndex,
  { normalise, ungrounded }: KnowledgeOptions,
  models: Models,
): Promise<{ links: readonly LinkedEntity[]; droppedNames: readonly string[]; reason?: string }> {
  const reply = await attempt(models, nameQuestionEntities, { question })
  if (reply instanceof ModelError)
    return { links: [], droppedNames: [], reason: `the reply with the entities of the question ${lossOf(reply)}` }
  const keep = groundingOf(ungrounded, language).on(question)
  const groundedNames = keep(nameQuestionEntities, reply.named_entities, (name) => ({ names: [name] }))
  const droppedNames = reply.named_entities.filter((name) => !groundedNames.includes(name))
  const names = groundedNames.map((name) => normalPhrase(name, normalise))
  const entities = [...new Set(names)].filter((name) => name !== '')
  if (entities.length === 0) return { links: [], droppedNames, reason: 'the question names no entity' }
  if (phraseVectors.rows === 0) return { links: [], droppedNames, reason: 'the graph has no phrase' }
  const vectors = await models.embed(entities, 'query')
  const links = topKForQueries(vectors, phraseVectors, 1).flatMap((hits, index) =>
    hits.map(({ index: phrase, score }) => ({ entity: itemAt(entities, index), phrase, similarity: score })),
  )
  return { links, droppedNames }
}
