import { describe } from '../../text/shape-faults.ts'
import type { Score, Scorer } from '../../types.ts'
import { rangeOf } from '../../basics/metrics.ts'

/** Sums of floating point numbers and cosines of 32 bits may pass a bound by as much. */
const tolerance = 1e-6

/** What a scorer gave, or an Error that says what is wrong with it: a scorer may be a stranger's. */
export function checkScore(
  score: unknown,
  { label, scorer }: { readonly label: string; readonly scorer: Pick<Scorer, 'ranges'> },
): Score {
  if (typeof score !== 'object' || score === null) throw new Error(`${label} gave ${describe(score)}: ${expected}`)
  const { metrics, skipped, subsets = [], parts } = score as Readonly<Record<string, unknown>>
  if (typeof skipped === 'string') return { skipped }
  if (!isObject(metrics)) throw new Error(`${label} gave neither metrics nor the reason why it skipped: ${expected}`)
  if (!Array.isArray(subsets) || !subsets.every((subset) => typeof subset === 'string'))
    throw new Error(`${label} gave subsets that are no list of texts`)
  for (const [metric, value] of Object.entries(metrics)) {
    const fault = faultOf(value, rangeOf(metric, scorer.ranges))
    if (fault !== undefined) throw new Error(`${label} gave ${metric} = ${describe(value)}${fault}`)
  }
  return { metrics, subsets, ...(isObject(parts) && { parts }) } as Score
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const expected = "give { metrics: { name: number } } or { skipped: 'why' }"

/** What is wrong with the value of a metric, as the end of a sentence. */
function faultOf(value: unknown, [least, greatest]: readonly [number, number]): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return ''
  if (value >= least - tolerance && value <= greatest + tolerance) return undefined
  const advice =
    least === 0 && greatest === 1
      ? 'give fractions, or state the metric\'s range in "ranges"'
      : 'the range that "ranges" states'
  return `, outside ${Number(least.toFixed(4))} to ${Number(greatest.toFixed(4))}: ${advice}`
}
