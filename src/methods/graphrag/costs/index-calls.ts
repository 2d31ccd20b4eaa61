import { around, exactly, sumOf, times, taskCalls } from '../../../math/expected.ts'
import { askForMore } from '../../../tasks/graphrag/ask-for-more.ts'
import { extractGraph } from '../../../tasks/graphrag/extract-graph.ts'
import { mergeDescriptions } from '../../../tasks/graphrag/merge-descriptions.ts'
import { writeReport } from '../../../tasks/graphrag/write-report.ts'
import type { Estimate, ExpectedCalls } from '../../../types.ts'
import { tokensOf } from '../../shared/expected-calls.ts'
import type { GraphragOptions } from '../options.ts'
import type { Sizes } from './sizes.ts'

type Count = (text: string) => number

/**
 * Reading the text units, with gleanings, and merging descriptions. Of g > 1 gleanings all are expected, with a call before each but the
 * first that asks whether more is missing: 2g calls a text unit; three where a model says no at once.
 */
export function extractionCosts(
  units: readonly { readonly tokens: number }[],
  { described, merges }: Sizes,
  options: GraphragOptions,
  count: Count,
): readonly ExpectedCalls[] {
  const { chunkTokens, overlap, compat, entityTypes, maxGleanings, entityIdentity } = options
  const { descriptionWords, descriptionTokens } = options
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
    { names: [''], descriptions: [], words: descriptionWords },
    { calls: merges, texts: times(merges, 88), reply: around(74) },
    count,
  )
  const graphs = [chunkTokens, chunkTokens === 'run' ? 0 : overlap, entityTypes, maxGleanings, compat]
  const once = (what: string, ...on: readonly unknown[]) => `${what} ${JSON.stringify([...graphs, ...on])}`
  return [
    { once: once('graphs of text units'), ...extracted },
    ...(maxGleanings > 1 ? [{ once: once('asked for more'), ...askedForMore }] : []),
    { once: once('merged descriptions', entityIdentity, descriptionWords, descriptionTokens), ...merged },
  ]
}

/** A report on every community. */
export function reportCosts(
  { communities, reportContext }: Sizes,
  { reportWords: words }: GraphragOptions,
  count: Count,
): ExpectedCalls {
  const reply = { low: 200, expected: 302, high: 1500 }
  const asked = { calls: communities, texts: times(communities, reportContext.expected), reply }
  return taskCalls(writeReport, { context: '', words }, asked, count)
}
