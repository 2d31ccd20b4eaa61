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

/** Search modes; each returns passages best first. */
const modes: Readonly<Record<GraphragOptions['mode'], (search: Search) => Promise<readonly Passage[]>>> = {
  local,
  global,
  basic,
  drift,
}

/**
 * Microsoft GraphRAG: entities and relations extracted by a model, nested communities by hierarchical Leiden, a report
 * on each, and four search modes. Claims and incremental updates are not implemented.
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
  async index(chunks, models, options, sharedIndex) {
    const index = sharedIndex ?? (await graphIndex(chunks, models, options))
    // without communities, all of the index is visible (section 6)
    const level = index.communities.length === 0 ? null : options.communityLevel
    const visible = once(() => visibleAt(index, level))
    const count = memoise(models.countTokens)
    return {
      retrieve: ({ text }, budget, models) =>
        modes[options.mode]({ text, budget, models, index, visible: visible(), options, count }),
      graph: () => drawingOf(index),
      stats: () => index.stats,
      warnings: () => index.warnings,
    }
  },
})
