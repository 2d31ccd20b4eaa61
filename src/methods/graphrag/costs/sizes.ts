import { around, times } from '../../../math/expected.ts'
import type { Estimate } from '../../../types.ts'
import { tokensOf } from '../../shared/expected-calls.ts'
import type { GraphragOptions } from '../options.ts'

/** How large an index is expected to become; all measured with the offline provider on the sample dataset, in units of 100 to 1200 tokens. */
export interface Sizes {
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

export function sizesOf(
  units: readonly { readonly tokens: number }[],
  { method, reportTokens }: Pick<GraphragOptions, 'method' | 'reportTokens'>,
): Sizes {
  const read = tokensOf(units)
  const mean = read / Math.max(1, units.length)
  const described = times({ low: 0.15, expected: 1, high: 1.6 }, read * perDoubling(5, 0.63, mean))
  const fast = method === 'fast'
  const unitsOfReport = Math.min(8.3, units.length / 5)
  return {
    described,
    merges: times({ low: 0.2, expected: 1, high: 2 }, 0.0135 * read),
    communities: times({ low: 0.3, expected: 1, high: 2 }, read * (fast ? 0.0017 : perDoubling(0.0064, 0.0007, mean))),
    reportContext: around(Math.min(reportTokens, fast ? unitsOfReport * mean : perDoubling(720, 90, mean))),
    reportTokens: { low: 200, expected: 268, high: 1500 },
    entityTokens: fast ? times(around(0.035), read) : times(described, 0.38),
  }
}
