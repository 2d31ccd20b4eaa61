import type { CostsOfRow, CostUnit } from '../table/costs-of-row.ts'
import { counted } from '../render/amounts.ts'

/**
 * With which numbers of questions a row takes less than the row compared with, index included: from a number on, up to a
 * number, all, or none; null where that is not known.
 */
export type BreakEven = { readonly from: number } | { readonly until: number } | 'always' | 'never' | null

/** For how many questions `one` takes less than `base` in all. */
export function breakEven(one: CostsOfRow, base: CostsOfRow, unit: CostUnit): BreakEven {
  const [ours, theirs] = [one, base].map(({ index, question }) => ({
    index: index[unit],
    question: question?.[unit],
  }))
  if (ours?.index === undefined || theirs?.index === undefined) return null
  if (ours.question === undefined || theirs.question === undefined) return null
  const more = ours.index - theirs.index
  const saved = theirs.question - ours.question
  if (saved > 0) return more <= 0 ? 'always' : { from: Math.floor(more / saved) + 1 }
  if (more >= 0) return 'never'
  if (saved === 0) return 'always'
  const until = Math.ceil(more / saved) - 1
  return until > 0 ? { until } : 'never'
}

/** A break-even in words. */
export function breakEvenWords(one: BreakEven): string {
  if (one === null) return '–'
  if (typeof one === 'string') return one
  return 'from' in one ? `from ${counted(one.from)}` : `until ${counted(one.until)}`
}
