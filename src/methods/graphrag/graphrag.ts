import { memoise, once } from '../../basics/memoise.ts'
import { defineMethod } from '../../define.ts'
import { answerAndAsk, imagineAnswer, listPoints, rateReport } from '../../tasks/graphrag-search.ts'
import { askForMore, extractGraph, mergeDescriptions, writeReport } from '../../tasks/graphrag-index.ts'
import { drawingOf } from './drawing.ts'
import { graphIndex } from './build.ts'
import type { Passage } from '../../types.ts'
import { drift } from './drift.ts'
import { global } from './global.ts'
import { local } from './local.ts'
import { basic, type Search, visibleAt } from './search.ts'
import { graphragOptions, indexOptions, type GraphragOptions } from './options.ts'

/** Ways to find passages, best first. */
const modes: Readonly<Record<GraphragOptions['mode'], (search: Search) => Promise<readonly Passage[]>>> = {
  local,
  global,
  basic,
  drift,
}

/**
 * Microsoft GraphRAG: entities and relations read by a model, communities of communities by hierarchical Leiden, a
 * report on each, and four ways to search them. Claims, incremental updates and storage back-ends are left out. The
 * answer prompt that all methods share takes the place of its own, and of the reduce step of global search.
 */
export const graphrag = defineMethod({
  name: 'graphrag',
  summary:
    'Entities and relations from a language model, communities of communities with a report on each; searched by entity, or over all reports.',
  paper:
    'Edge et al. 2024, From Local to Global: A Graph RAG Approach to Query-Focused Summarization (microsoft/graphrag@6dad6d2)',
  tasks: [
    extractGraph,
    askForMore,
    mergeDescriptions,
    writeReport,
    listPoints,
    rateReport,
    imagineAnswer,
    answerAndAsk,
  ],
  options: graphragOptions,
  prepares: { name: 'index of graphrag', options: indexOptions, make: graphIndex },
  async index(chunks, models, options, prepared) {
    const index = prepared ?? (await graphIndex(chunks, models, options))
    // an index without communities is seen whole (section 6)
    const level = index.communities.length === 0 ? null : options.communityLevel
    const visible = once(() => visibleAt(index, level))
    const count = memoise((text: string) => models.countTokens(text))
    return {
      retrieve: ({ text }, budget, models) =>
        modes[options.mode]({ text, budget, models, index, visible: visible(), options, count }),
      graph: () => drawingOf(index),
      stats: () => index.stats,
      warnings: () => index.warnings,
    }
  },
})
