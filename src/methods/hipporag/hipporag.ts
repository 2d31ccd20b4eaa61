import { defineMethod } from '../../define.ts'
import { buildGraph } from '../../math/graph.ts'
import { pagerankSolver, type Pagerank } from '../../math/pagerank/pagerank.ts'
import { products, type Matrix } from '../../math/vectors.ts'
import { nameEntities } from '../../tasks/entities/name-entities.ts'
import { extractTriples } from '../../tasks/entities/extract-triples.ts'
import type { Chunk, Models } from '../../types.ts'
import { documentVectors, queryVector } from '../shared/embed.ts'
import { fallbackOfWalk } from '../shared/fallback-of-walk.ts'
import { contextOf } from './context.ts'
import { knowledgeGraph, knowledgeIndex, knowledgeOptions, type KnowledgeOptions } from './knowledge-index.ts'
import type { Fact } from './knowledge.ts'
import { linkEntities, type LinkedEntity } from './link-entities.ts'
import { minMax } from './min-max.ts'
import { hipporagOptions } from './options.ts'
import { rounded } from '../shared/rounded.ts'
import { hipporagCosts } from './costs.ts'

/**
 * HippoRAG, version 1: the graph of phrases alone, walked from the phrases nearest to the entities of the question; a passage is worth
 * what the phrases of its facts are. Its parts are those of version 2.
 */
export const hipporag = defineMethod({
  name: 'hipporag',
  summary:
    'A graph of phrases from extracted facts; personalised PageRank from the entities of the question ranks passages by their facts.',
  paper: 'Gutiérrez et al. 2024, HippoRAG: Neurobiologically Inspired Long-Term Memory for Large Language Models',
  tasks: [nameEntities, extractTriples],
  options: hipporagOptions,
  embedsChunks: ({ ensemble }) => ensemble,
  prepares: { name: 'graph of hipporag', options: [...knowledgeOptions, 'ensemble'], make: prepare },
  costs: hipporagCosts,
  paperCalls: { formula: '2 a chunk', count: (_, stat) => 2 * stat('passages') },
  async index(chunks, models, options, prepared) {
    const { knowledge, passageVectors, graph } = prepared ?? (await prepare(chunks, models, options))
    const { passages, phrases, facts, holders, phraseVectors } = knowledge
    const walk = pagerankSolver(graph, options)

    /** What the walk from the linked phrases is worth to each passage; the same to all where nothing is linked. */
    const remember = (linked: readonly LinkedEntity[]): Remembered => {
      if (linked.length === 0) return { worth: new Float64Array(passages.length).fill(1 / passages.length) }
      const reset = new Float64Array(phrases.length)
      for (const { phrase } of linked) reset[phrase] = options.nodeSpecificity ? 1 / (holders[phrase]?.length ?? 1) : 1
      const walked = walk(reset)
      return { worth: rounded(worthOf(facts, walked.scores, passages.length)), walked }
    }

    return {
      nested: true,
      async retrieve({ text }, budget, models) {
        if (passages.length === 0) return []
        const { linked, lack } = await linkEntities(text, phraseVectors, options.normalize, models)
        const { worth, walked } = remember(linked)
        const remembered = linked.length > 0 ? minMax(worth) : worth
        const sure = linked.length > 0 && linked.every(({ similarity }) => similarity > options.ensembleThreshold)
        const dense = passageVectors && !sure ? await denseScores(text, passageVectors, models) : undefined
        const scores = dense ? (linked.length > 0 ? mean(remembered, dense) : dense) : remembered
        const instead = lack === undefined ? undefined : `${dense ? 'dense' : 'all passages alike'}: ${lack}`
        const fallback = fallbackOfWalk(walked, instead)
        const shared = {
          entities: linked.map(({ entity }) => entity),
          phrases: linked.map(({ phrase }) => phrases[phrase] ?? ''),
          similarities: linked.map(({ similarity }) => similarity),
          ...(fallback !== undefined && { fallback }),
        }
        const { qaTopK, padding } = options
        const most = Math.min(qaTopK ?? Infinity, budget.passages)
        // before it is moved to [0, 1]: the least of passages that were all reached is no 0; dense retrieval reaches all
        const reached = dense ? {} : { reached: (row: number) => (worth[row] ?? 0) > 0 }
        return contextOf(passages, { scores, ...reached }, { most, padding }, shared, (row) => ({
          walk: remembered[row] ?? 0,
          ...(dense && { dense: dense[row] ?? 0 }),
        }))
      },
      graph: () => knowledgeGraph(knowledge, false),
      stats: () => knowledge.stats,
      warnings: () => knowledge.warnings,
    }
  },
})

/** What a question brings to mind: the worth of each passage, and the walk that it comes from, if there was one. */
interface Remembered {
  readonly worth: Float64Array
  readonly walked?: Pagerank
}

/** All that does not depend on how the graph is walked; vectors of passages for the ensemble alone. */
async function prepare(
  chunks: readonly Chunk[],
  models: Models,
  options: KnowledgeOptions & { readonly ensemble: boolean },
) {
  const knowledge = await knowledgeIndex(chunks, models, options)
  const texts = knowledge.passages.map(({ text }) => text)
  return {
    knowledge,
    passageVectors: options.ensemble ? await documentVectors(texts, models) : undefined,
    graph: buildGraph(knowledge.phrases.length, knowledge.edges),
  }
}

/** Of each passage, the sum over its facts of the scores of their phrases: documents × facts × phrases × scores in the paper's code. */
function worthOf(facts: readonly Fact[], scores: Float64Array, passages: number): Float64Array {
  const worth = new Float64Array(passages)
  for (const { subject, object, passages } of facts) {
    const ends = new Set([subject, object])
    const fact = [...ends].reduce<number>((sum, end) => sum + (end === undefined ? 0 : (scores[end] ?? 0)), 0)
    for (const row of passages) worth[row] = (worth[row] ?? 0) + fact
  }
  return worth
}

async function denseScores(text: string, passages: Matrix, models: Models): Promise<Float64Array> {
  return minMax(products(await queryVector(text, models), passages))
}

const mean = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, row) => (value + (b[row] ?? 0)) / 2)
