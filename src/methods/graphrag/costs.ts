import { contextTokens, nearestUnits } from './asked.ts'
import { firstStep, followingUp } from './drift.ts'
import { descriptionLimits, entityTypes } from './extract.ts'
import { mapStep } from './global.ts'
import { localShares } from './local.ts'
import { reportLimits } from './reports.ts'
import { once } from '../../basics/memoise.ts'
import { exactly, sumOf, times, around, embedCalls, taskCalls } from '../../math/expected.ts'
import type { CorpusFacts, MethodCosts, Budget, ExpectedContext, Estimate, ExpectedCalls } from '../../types.ts'
import { tokensOf, embeddedQuestions, filledContext, noContext } from '../shared/expected-calls.ts'
import { indexOptions, repeatedTokens, type GraphragOptions } from './options.ts'
import { sourceUnits } from '../shared/text-units.ts'
import { askForMore, extractGraph, mergeDescriptions, writeReport } from '../../tasks/graphrag-index.ts'
import { answerAndAsk, imagineAnswer, listPoints, rateReport } from '../../tasks/graphrag-search.ts'

/** What an index is expected to cost: 2 calls a text unit, merged descriptions, a report a community (section 2). */
export function graphragCosts(facts: CorpusFacts, options: GraphragOptions): MethodCosts {
  const { chunkTokens } = options
  const units = sourceUnits(facts.chunks, { chunkTokens, overlap: repeatedTokens }, facts.countTokens)
  const sizes = sizesOf(units)
  const built = options.index === null
  const embedded = sumOf(exactly(tokensOf(units)), sizes.entityTokens, times(sizes.communities, sizes.reportTokens))
  // rows that agree in the options of the index share it
  const own = JSON.stringify(Object.entries(options).filter(([name]) => indexOptions.includes(name)))
  return {
    index: [
      ...(built ? extractionCosts(units, sizes, options, facts.countTokens) : []),
      ...(built ? [{ once: `reports ${own}`, ...reportCosts(sizes, facts.countTokens) }] : []),
      { once: `vectors of graphrag ${own}`, ...embedCalls(exactly(units.length > 0 ? 3 : 0), embedded) },
    ],
    retrieve: questionCosts(facts, units, sizes, options),
    context: once(() => expectedContext(units, facts.budget, options)),
  }
}

/** Tokens of a point, or of an answer on the way. */
const point = 46

/** The context of a question: text units in their share with tables beside them, text units alone, or short points. */
function expectedContext(
  units: readonly { readonly tokens: number }[],
  budget: Budget,
  { mode }: GraphragOptions,
): ExpectedContext {
  if (units.length === 0) return noContext
  const lengths = units.map(({ tokens }) => tokens)
  const tokens = Math.min(contextTokens, budget.tokens)
  const { textShare, communityShare } = localShares
  if (mode === 'basic') return filledContext(lengths, budget, { passages: nearestUnits, tokens })
  if (mode !== 'local') {
    const expected = Math.min(tokens, budget.passages * point)
    return { passages: exactly(budget.passages), tokens: { low: 0, expected, high: tokens } }
  }
  const quoted = filledContext(lengths, { ...budget, tokens: tokens * textShare })
  const tables = tokens * (1 - textShare - communityShare)
  const expected = quoted.tokens.expected + 0.9 * tables
  const passages = Math.min(budget.passages, quoted.passages.expected + 1)
  return {
    passages: { low: 1, expected: passages, high: budget.passages },
    tokens: { low: Math.min(expected, tables / 2), expected, high: tokens },
  }
}

type Count = (text: string) => number

/**
 * Reading the text units, with gleanings, and merging descriptions. Of g > 1 gleanings all are expected, with a call
 * before each but the first that asks whether more is missing: 2g calls a text unit; three where a model says no at
 * once.
 */
export function extractionCosts(
  units: readonly { readonly tokens: number }[],
  { described, merges }: Sizes,
  options: GraphragOptions,
  count: Count,
): readonly ExpectedCalls[] {
  const { chunkTokens, compat, maxGleanings } = options
  const read = tokensOf(units)
  // a gleaning, and what is asked before it, shows the text and the first reply again
  const callsOf = (first: number, again: Estimate) => ({
    calls: times(sumOf(exactly(first), again), units.length),
    texts: sumOf(times(sumOf(exactly(first), again), read), times(described, again)),
  })
  const empty = { text: '', entityTypes, replies: [] }
  const gleanings = { ...exactly(maxGleanings), low: Math.min(1, maxGleanings) }
  const rounds = units.length * (1 + maxGleanings)
  const extracted = taskCalls(
    extractGraph,
    empty,
    { ...callsOf(1, gleanings), reply: times(described, 1 / Math.max(1, rounds)) },
    count,
  )
  const asked = { ...exactly(maxGleanings - 1), low: 1 }
  const askedForMore = taskCalls(askForMore, empty, { ...callsOf(0, asked), reply: exactly(1) }, count)
  const merged = taskCalls(
    mergeDescriptions,
    { names: [''], descriptions: [], words: descriptionLimits.words },
    { calls: merges, texts: times(merges, 88), reply: around(74) },
    count,
  )
  const graphs = [chunkTokens, maxGleanings, compat]
  const shared = (what: string) => `${what} ${JSON.stringify(graphs)}`
  return [
    { once: shared('graphs of text units'), ...extracted },
    ...(maxGleanings > 1 ? [{ once: shared('asked for more'), ...askedForMore }] : []),
    { once: shared('merged descriptions'), ...merged },
  ]
}

/** A report on every community. */
function reportCosts({ communities, reportContext }: Sizes, count: Count): ExpectedCalls {
  const reply = { low: 200, expected: 302, high: 1500 }
  const asked = { calls: communities, texts: times(communities, reportContext.expected), reply }
  return taskCalls(writeReport, { context: '', words: reportLimits.words }, asked, count)
}

/** What all questions ask, by mode: local and basic embed them; global reads all reports; drift asks in rounds. */
function questionCosts(
  facts: CorpusFacts,
  units: readonly { readonly tokens: number }[],
  sizes: Sizes,
  options: GraphragOptions,
): readonly ExpectedCalls[] {
  const asked = units.length > 0 ? facts.queries.length : 0
  if (options.mode === 'global') return globalCosts(facts, asked, sizes, options)
  if (options.mode === 'drift') return driftCosts(facts, asked, tokensOf(units), sizes)
  return [embeddedQuestions(facts)]
}

function globalCosts(
  { countTokens }: CorpusFacts,
  asked: number,
  { communities, reportTokens }: Sizes,
  { dynamicSelection }: GraphragOptions,
): readonly ExpectedCalls[] {
  // a row of the table holds the title and two numbers too; a rating leaves a part of the reports out
  const read = times(communities, (reportTokens.expected + 19) * (dynamicSelection ? 0.5 : 1))
  const batches = { low: whole(read.low), expected: whole(read.expected), high: whole(read.high) }
  const points = taskCalls(
    listPoints,
    { question: '', reports: '', words: mapStep.words },
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
    return Math.ceil(tokens / mapStep.tokens)
  }
}

function driftCosts(
  { countTokens }: CorpusFacts,
  asked: number,
  read: number,
  { communities, reportTokens }: Sizes,
): readonly ExpectedCalls[] {
  const most = followingUp.rounds * followingUp.questions
  const followUps: Estimate = { low: 0, expected: most / 2, high: most }
  const first = Math.min(firstStep.reports, communities.expected) * reportTokens.expected
  const calls = times(sumOf(exactly(firstStep.folds), followUps), asked)
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

/** Expected sizes of an index, measured offline on the sample dataset in units of 100 to 1200 tokens. */
interface Sizes {
  /** Tokens of all replies that describe the graphs of the text units. */
  readonly described: Estimate
  /** Entities and pairs whose descriptions are merged. */
  readonly merges: Estimate
  readonly communities: Estimate
  /** Tokens of what one report is made of. */
  readonly reportContext: Estimate
  /** Tokens of one report as it is embedded. */
  readonly reportTokens: Estimate
  /** Tokens of all entities as they are embedded. */
  readonly entityTokens: Estimate
}

/** Longer text units hold more that is related: so much more for each doubling beyond 100 tokens. */
const perDoubling = (first: number, more: number, meanTokens: number): number =>
  first + more * Math.max(0, Math.log2(meanTokens / 100))

export function sizesOf(units: readonly { readonly tokens: number }[]): Sizes {
  const read = tokensOf(units)
  const mean = read / Math.max(1, units.length)
  const described = times({ low: 0.15, expected: 1, high: 1.6 }, read * perDoubling(5, 0.63, mean))
  return {
    described,
    merges: times({ low: 0.2, expected: 1, high: 2 }, 0.0135 * read),
    communities: times({ low: 0.3, expected: 1, high: 2 }, read * perDoubling(0.0064, 0.0007, mean)),
    reportContext: around(Math.min(reportLimits.tokens, perDoubling(720, 90, mean))),
    reportTokens: { low: 200, expected: 268, high: 1500 },
    entityTokens: times(described, 0.38),
  }
}
