import { once } from '../../basics/memoise.ts'
import { around, exactly, sumOf, times } from '../../math/expected/estimate.ts'
import { embedCalls, taskCalls } from '../../math/expected/usage.ts'
import { answerAndAsk } from '../../tasks/answer-and-ask.ts'
import { extractGraph } from '../../tasks/extract-graph.ts'
import { imagineAnswer } from '../../tasks/imagine-answer.ts'
import { listPoints } from '../../tasks/list-points.ts'
import { mergeDescriptions } from '../../tasks/merge-descriptions.ts'
import { writeReport } from '../../tasks/write-report.ts'
import type { CorpusFacts, Estimate, ExpectedCalls, MethodCosts } from '../../types.ts'
import { embeddedQuestions, lengthsOf, tokensOf } from '../shared/expected-calls.ts'
import { filledContext } from '../shared/expected-context.ts'
import type { GraphragOptions } from './options.ts'
import { sourceUnits } from './text-units.ts'

/** Tokens of a reply that describes a text unit's graph, for each token of the unit. */
const described = { low: 0.4, expected: 1, high: 3 }
/** Entities and pairs with descriptions to be merged, for each token of the corpus. */
const repeated = { low: 0.001, expected: 0.005, high: 0.02 }
/** Communities for each token of the corpus. */
const communities = { low: 0.0005, expected: 0.0015, high: 0.004 }
/** Tokens of one merged description, of the tables that a report is made of, and of a report. */
const [merging, tables, report] = [around(120), around(600), around(300)]

/** What an index and its questions are expected to cost: 2 calls a text unit, merged descriptions, a report a community (section 2). */
export function graphragCosts(facts: CorpusFacts, options: GraphragOptions): MethodCosts {
  const { chunks, queries, budget, countTokens } = facts
  const units = sourceUnits(chunks, options, countTokens)
  const read = tokensOf(units)
  const words = options.reportWords
  const tabled = times(tables, Math.min(1, options.reportTokens / 600))
  const reports = times(communities, read)
  const written = taskCalls(
    writeReport,
    { context: '', words },
    { calls: reports, texts: times(tabled, reports), reply: report },
    countTokens,
  )
  const extraction = options.method === 'standard' ? extractionCosts(units, read, options, countTokens) : []
  const index = options.index === null ? [...extraction, written] : []
  const embedded = sumOf(
    exactly(read),
    times(described, read),
    options.index === null ? written.completionTokens : exactly(0),
  )
  return {
    index: [...index, embedCalls(exactly(units.length > 0 ? 3 : 0), embedded)],
    retrieve: retrieveCosts(facts, options, times(report, reports)),
    context: once(() => filledContext(lengthsOf(chunks), budget, { tokens: options.contextTokens })),
  }

  function retrieveCosts(
    facts: CorpusFacts,
    { mode, mapTokens, mapWords }: GraphragOptions,
    all: Estimate,
  ): ExpectedCalls[] {
    const asked = units.length > 0 ? queries.length : 0
    if (mode === 'local' || mode === 'basic') return [embeddedQuestions(facts)]
    if (mode === 'global') {
      const batches = {
        low: Math.ceil(all.low / mapTokens),
        expected: Math.ceil(all.expected / mapTokens),
        high: Math.ceil(all.high / mapTokens),
      }
      const calls = times(batches, asked)
      return [
        taskCalls(
          listPoints,
          { question: '', reports: '', words: mapWords },
          { calls, texts: times(all, asked), reply: around(250) },
          countTokens,
        ),
      ]
    }
    const { driftDepth, driftFollowUps, driftFolds } = options
    const followUps = { low: 0, expected: (driftDepth * driftFollowUps) / 2, high: driftDepth * driftFollowUps }
    const steps = times(sumOf(exactly(driftFolds), followUps), asked)
    return [
      embedCalls(times(sumOf(exactly(1), followUps), asked), times(steps, 20)),
      taskCalls(
        imagineAnswer,
        { question: '', report: '' },
        { calls: exactly(asked), texts: times(report, asked), reply: around(150) },
        countTokens,
      ),
      taskCalls(
        answerAndAsk,
        { question: '', main: '', context: '', most: 5 },
        { calls: steps, texts: times(steps, Math.min(options.contextTokens, read)), reply: around(150) },
        countTokens,
      ),
    ]
  }
}

function extractionCosts(
  units: readonly { readonly tokens: number }[],
  read: number,
  { entityTypes, maxGleanings, descriptionWords }: GraphragOptions,
  countTokens: (text: string) => number,
): readonly ExpectedCalls[] {
  // a gleaning shows the text and all earlier replies again
  const shown = times(described, (read * maxGleanings * (maxGleanings + 1)) / 2)
  const calls = exactly(units.length * (1 + maxGleanings))
  const extracted = taskCalls(
    extractGraph,
    { text: '', entityTypes, replies: [] },
    {
      calls,
      texts: sumOf(exactly(read * (1 + maxGleanings)), shown),
      reply: times(described, read / Math.max(1, calls.expected)),
    },
    countTokens,
  )
  const merges = times(repeated, read)
  const merged = taskCalls(
    mergeDescriptions,
    { names: [''], descriptions: [], words: descriptionWords },
    { calls: merges, texts: times(merging, merges), reply: around(80) },
    countTokens,
  )
  return [extracted, merged]
}
