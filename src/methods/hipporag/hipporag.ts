import { itemAt } from '../../basics/collections.ts'
import { defineMethod } from '../../define.ts'
import { buildGraph } from '../../math/graph.ts'
import { pagerankSolver } from '../../math/pagerank.ts'
import { type Matrix, topKOfEach } from '../../math/vectors.ts'
import { groundingOf } from '../../tasks/grounding.ts'
import { nameEntities, nameQuestionEntities, extractTriples } from '../../tasks/entities.ts'
import type { Chunk, Models } from '../../types.ts'
import { contextOf, minMax } from './context.ts'
import {
  knowledgeGraph,
  knowledgeIndex,
  type KnowledgeIndex,
  knowledgeOptions,
  type KnowledgeOptions,
  type Fact,
  normalPhrase,
} from './knowledge.ts'
import { damping, hipporagOptions } from './options.ts'
import { roundScores } from '../shared/pack-numbers.ts'
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
  async index(chunks, models, options, prepared) {
    const { knowledge, graph } = prepared ?? (await prepare(chunks, models, options))
    const { passages, phrases, facts, holders, phraseVectors, language } = knowledge
    const walk = pagerankSolver(graph, { damping })

    /** What the walk from the linked phrases is worth to each passage; the same to all where nothing is linked. */
    const worthFrom = (linked: readonly LinkedEntity[]): Float64Array => {
      if (linked.length === 0) return new Float64Array(passages.length).fill(1 / passages.length)
      const reset = new Float64Array(phrases.length)
      // node specificity: a phrase that many passages hold starts with less (paper)
      for (const { phrase } of linked) reset[phrase] = 1 / (holders[phrase]?.length ?? 1)
      return roundScores(worthOf(facts, walk(reset).scores, passages.length))
    }

    return {
      nested: true,
      async retrieve({ text }, budget, models) {
        if (passages.length === 0) return []
        const { linked, dropped, lack } = await linkEntities(text, phraseVectors, { ...options, language }, models)
        const worth = worthFrom(linked)
        const scores = linked.length > 0 ? minMax(worth) : worth
        const shared = {
          entities: linked.map(({ entity }) => entity),
          phrases: linked.map(({ phrase }) => itemAt(phrases, phrase)),
          similarities: linked.map(({ similarity }) => similarity),
          ...(dropped.length > 0 && { droppedEntities: dropped }),
          ...(lack !== undefined && { fallback: `all passages alike: ${lack}` }),
        }
        const { qaTopK, padding } = options
        const most = Math.min(qaTopK ?? Infinity, budget.passages)
        // before it is moved to [0, 1]: the least of passages that were all reached is no 0
        const reached = (row: number) => itemAt(worth, row) > 0
        return contextOf(passages, { scores, reached }, { most, padding }, shared, (row) => ({
          walk: itemAt(scores, row),
        }))
      },
      graph: () => knowledgeGraph(knowledge, false),
      stats: () => knowledge.stats,
      warnings: () => knowledge.warnings,
    }
  },
})

/** All that does not depend on how the graph is walked. */
async function prepare(chunks: readonly Chunk[], models: Models, options: KnowledgeOptions) {
  const knowledge = await knowledgeIndex(chunks, models, options)
  return { knowledge, graph: buildGraph(knowledge.phrases.length, knowledge.edges) }
}

/** Of each passage, the sum over its facts of their phrases' scores: documents × facts × phrases × scores. */
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

interface Linking {
  readonly linked: readonly LinkedEntity[]
  /** Names that do not stand in the question, or repeat the example of the prompt. */
  readonly dropped: readonly string[]
  /** Why nothing is linked, in words. */
  readonly lack?: string
}

/** What a question names, each linked to its nearest phrase (HippoRAG, section 2.3). */
async function linkEntities(
  question: string,
  phrases: Matrix,
  {
    normalise,
    ungrounded,
    language,
  }: Pick<KnowledgeOptions, 'normalise' | 'ungrounded'> & Pick<KnowledgeIndex, 'language'>,
  models: Models,
): Promise<Linking> {
  const reply = await attempt(models, nameQuestionEntities, { question })
  if (reply instanceof ModelError)
    return { linked: [], dropped: [], lack: `the reply with the entities of the question ${lossOf(reply)}` }
  const keep = groundingOf(ungrounded, language).on(question)
  const named = keep(nameQuestionEntities, reply.named_entities, (name) => ({ names: [name] }))
  const dropped = reply.named_entities.filter((name) => !named.includes(name))
  const names = named.map((name) => normalPhrase(name, normalise))
  const entities = [...new Set(names)].filter((name) => name !== '')
  if (entities.length === 0) return { linked: [], dropped, lack: 'the question names no entity' }
  if (phrases.rows === 0) return { linked: [], dropped, lack: 'the graph has no phrase' }
  const vectors = await models.embed(entities, 'query')
  const linked = topKOfEach(vectors, phrases, 1).flatMap((hits, index) =>
    hits.map((hit) => ({
      entity: itemAt(entities, index),
      phrase: hit.index,
      similarity: hit.score,
    })),
  )
  return { linked, dropped }
}
