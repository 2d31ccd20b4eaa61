import { around, exactly, sumOf, times, embedCalls, taskCalls } from '../../../math/expected.ts'
import { answerAndAsk } from '../../../tasks/graphrag/answer-and-ask.ts'
import { imagineAnswer } from '../../../tasks/graphrag/imagine-answer.ts'
import { listPoints } from '../../../tasks/graphrag/list-points.ts'
import { rateReport } from '../../../tasks/graphrag/rate-report.ts'
import type { CorpusFacts, Estimate, ExpectedCalls } from '../../../types.ts'
import { embeddedQuestions, tokensOf } from '../../shared/expected-calls.ts'
import type { GraphragOptions } from '../options.ts'
import type { Sizes } from './sizes.ts'

/** What all questions ask, by mode: local and basic embed them; global reads all reports; drift asks in rounds. */
export function questionCosts(
  facts: CorpusFacts,
  units: readonly { readonly tokens: number }[],
  sizes: Sizes,
  options: GraphragOptions,
): readonly ExpectedCalls[] {
  const asked = units.length > 0 ? facts.queries.length : 0
  if (options.mode === 'global') return globalCosts(facts, asked, sizes, options)
  if (options.mode === 'drift') return driftCosts(facts, asked, tokensOf(units), sizes, options)
  return [embeddedQuestions(facts)]
}

function globalCosts(
  { countTokens }: CorpusFacts,
  asked: number,
  { communities, reportTokens }: Sizes,
  { mapTokens, mapWords, dynamicSelection }: GraphragOptions,
): readonly ExpectedCalls[] {
  // a row of the table holds the title and two numbers too; a rating leaves a part of the reports out
  const read = times(communities, (reportTokens.expected + 19) * (dynamicSelection ? 0.5 : 1))
  const batches = { low: whole(read.low), expected: whole(read.expected), high: whole(read.high) }
  const points = taskCalls(
    listPoints,
    { question: '', reports: '', words: mapWords },
    { calls: times(batches, asked), texts: times(read, asked), reply: around(357) },
    countTokens,
  )
  if (!dynamicSelection) return [points]
  const rated = times(communities, asked)
  const texts = times(rated, reportTokens.expected)
  return [
    taskCalls(rateReport, { question: '', report: '' }, { calls: rated, texts, reply: around(6) }, countTokens),
    points,
  ]

  function whole(tokens: number): number {
    return Math.ceil(tokens / mapTokens)
  }
}

function driftCosts(
  { countTokens }: CorpusFacts,
  asked: number,
  read: number,
  { communities, reportTokens }: Sizes,
  { driftDepth, driftFollowUps, driftFolds, driftReports, contextTokens }: GraphragOptions,
): readonly ExpectedCalls[] {
  const most = driftDepth * driftFollowUps
  const followUps: Estimate = { low: 0, expected: most / 2, high: most }
  const first = Math.min(driftReports, communities.expected) * reportTokens.expected
  const calls = times(sumOf(exactly(driftFolds), followUps), asked)
  const texts = times(sumOf(exactly(first), times(followUps, Math.min(contextTokens, read))), asked)
  return [
    embedCalls(times(sumOf(exactly(1), followUps), asked), times(calls, 15)),
    taskCalls(
      imagineAnswer,
      { question: '', report: '' },
      { calls: exactly(asked), texts: times(reportTokens, asked), reply: around(150) },
      countTokens,
    ),
    taskCalls(
      answerAndAsk,
      { question: '', main: '', context: '', most: 5 },
      { calls, texts, reply: around(120) },
      countTokens,
    ),
  ]
}
