import { defineMethod } from '../define.ts'
import { buildGraph } from '../math/graph.ts'
import { pagerankSolver } from '../math/pagerank.ts'
import { products, type Matrix } from '../math/vectors.ts'
import type { Models } from '../types.ts'
import { documentVectors, queryVector } from './embed.ts'
import { contextOf } from './hipporag/context.ts'
import { knowledgeGraph, knowledgeIndex } from './hipporag/knowledge-index.ts'
import type { Fact } from './hipporag/knowledge.ts'
import { linkEntities, type LinkedEntity } from './hipporag/link-entities.ts'
import { minMax } from './hipporag/min-max.ts'
import { hipporagOptions } from './hipporag/options.ts'
import { rounded } from './rounded.ts'

/**
 * HippoRAG, version 1: the graph of phrases alone, walked from the phrases nearest to the entities of the question; a passage is worth
 * what the phrases of its facts are. Its parts are those of version 2.
 */
export const hipporag = defineMethod({
  name: 'hipporag',
  summary:
    'A graph of phrases from extracted facts, walked from the entities of the question; passages by the facts they state.',
  paper: 'Gutiérrez et al. 2024, HippoRAG: Neurobiologically Inspired Long-Term Memory for Large Language Models',
  options: hipporagOptions,
  async index(chunks, models, options) {
    const knowledge = await knowledgeIndex(chunks, models, options)
    const { passages, phrases, facts, holders, edges, phraseVectors } = knowledge
    const texts = passages.map(({ text }) => text)
    const passageVectors = options.ensemble ? await documentVectors(texts, models) : undefined
    const walk = pagerankSolver(buildGraph(phrases.length, edges), options)

    /** What the walk from the linked phrases is worth to each passage, in [0, 1]; the same to all where nothing is linked. */
    const remember = (linked: readonly LinkedEntity[]): Float64Array => {
      if (linked.length === 0) return new Float64Array(passages.length).fill(1 / passages.length)
      const reset = new Float64Array(phrases.length)
      for (const { phrase } of linked) reset[phrase] = options.nodeSpecificity ? 1 / (holders[phrase]?.length ?? 1) : 1
      return minMax(rounded(worthOf(facts, walk(reset).scores, passages.length)))
    }

    return {
      async retrieve({ text }, budget, models) {
        if (passages.length === 0) return []
        const { linked, lack } = await linkEntities(text, phraseVectors, options.normalize, models)
        const remembered = remember(linked)
        const sure = linked.length > 0 && linked.every(({ similarity }) => similarity > options.ensembleThreshold)
        const dense = passageVectors && !sure ? await denseScores(text, passageVectors, models) : undefined
        const scores = dense ? (linked.length > 0 ? mean(remembered, dense) : dense) : remembered
        const shared = {
          entities: linked.map(({ entity }) => entity),
          phrases: linked.map(({ phrase }) => phrases[phrase] ?? ''),
          similarities: linked.map(({ similarity }) => similarity),
          ...(lack !== undefined && { fallback: `${dense ? 'dense' : 'all passages alike'}: ${lack}` }),
        }
        const most = Math.min(options.qaTopK, budget.passages)
        return contextOf(passages, scores, most, shared, (row) => ({
          walk: remembered[row] ?? 0,
          ...(dense && { dense: dense[row] ?? 0 }),
        }))
      },
      graph: () => knowledgeGraph(knowledge, false),
      stats: () => knowledge.stats,
      losses: () => knowledge.losses,
    }
  },
})

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
