import { around, exactly, sumOf, times } from '../../../math/expected/estimate.ts'
import { taskCalls } from '../../../math/expected/usage.ts'
import { extractGraph } from '../../../tasks/graphrag/extract-graph.ts'
import { mergeDescriptions } from '../../../tasks/graphrag/merge-descriptions.ts'
import { writeReport } from '../../../tasks/graphrag/write-report.ts'
import type { ExpectedCalls } from '../../../types.ts'
import { tokensOf } from '../../shared/expected-calls.ts'
import type { GraphragOptions } from '../options.ts'
import type { Sizes } from './sizes.ts'

type Count = (text: string) => number

/** Reading the text units, with gleanings, and merging descriptions. */
export function extractionCosts(
  units: readonly { readonly tokens: number }[],
  { described, merges }: Sizes,
  { entityTypes, maxGleanings, descriptionWords }: GraphragOptions,
  count: Count,
): readonly ExpectedCalls[] {
  const rounds = 1 + maxGleanings
  const calls = units.length * rounds
  const extracted = taskCalls(
    extractGraph,
    { text: '', entityTypes, replies: [] },
    {
      calls: exactly(calls),
      // a gleaning shows the text and the first reply again
      texts: sumOf(exactly(tokensOf(units) * rounds), times(described, maxGleanings)),
      reply: times(described, 1 / Math.max(1, calls)),
    },
    count,
  )
  const merged = taskCalls(
    mergeDescriptions,
    { names: [''], descriptions: [], words: descriptionWords },
    { calls: merges, texts: times(merges, 88), reply: around(74) },
    count,
  )
  return [
    { once: `graphs of text units ${entityTypes.join()} ${maxGleanings} ${calls}`, ...extracted },
    { once: `merged descriptions ${descriptionWords} ${calls}`, ...merged },
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
