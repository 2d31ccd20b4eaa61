import type { Phase, Usage } from '../../types.ts'
import type { RowSummary } from './row-summary.ts'
import { formatCount } from '../../text/amounts.ts'

/** What something took: tokens of language models (prompts and replies), money and seconds. */
export interface Cost {
  readonly tokens: number
  /** In the currency of the prices; absent where a model that was used has none. */
  readonly money?: number
  /** Of calls to models, those of the cache as when they were made; absent where they were not timed. */
  readonly seconds?: number
}

interface UsedInPhase extends Pick<Usage, 'calls' | 'promptTokens' | 'completionTokens'> {
  readonly phase: Phase
  readonly milliseconds: number
  readonly money?: number
}

/** What a row costs, without its judges. */
export interface CostsOfRow {
  /** All corpora together, once: of one repeat, in the mean, where repeats have indexes of their own. */
  readonly index: Cost
  /** In the mean; null where no question was asked. */
  readonly question: Cost | null
}

/** What a row costs, from what it used by phase. */
export function costsOfRow(
  { trials, indexes }: Pick<RowSummary, 'trials' | 'indexes'>,
  usage: readonly UsedInPhase[],
): CostsOfRow {
  const cost = (phases: readonly Phase[], share: number): Cost => {
    const cells = usage.filter(({ phase }) => phases.includes(phase))
    const sum = (of: (cell: (typeof cells)[number]) => number): number =>
      share * cells.reduce((all, cell) => all + of(cell), 0)
    const timed = cells.every(({ calls, milliseconds }) => calls === 0 || milliseconds > 0)
    return {
      tokens: sum(({ promptTokens, completionTokens }) => promptTokens + completionTokens),
      ...(cells.every(({ money }) => money !== undefined) && { money: sum(({ money = 0 }) => money) }),
      ...(timed && { seconds: sum(({ milliseconds }) => milliseconds) / 1000 }),
    }
  }
  return {
    index: cost(['index'], indexes ? indexes.corpora / indexes.built : 1),
    question: trials === 0 ? null : cost(['retrieve', 'answer'], 1 / trials),
  }
}

/** What costs are compared in. */
export type CostUnit = 'money' | 'tokens'

/** Money where that of every row is known and some row has to be paid, else tokens. */
export function costUnit(rows: readonly CostsOfRow[]): CostUnit {
  const costs = rows.flatMap(({ index, question }) => [index, ...(question ? [question] : [])])
  const priced = costs.every(({ money }) => money !== undefined) && costs.some(({ money }) => money !== 0)
  return priced ? 'money' : 'tokens'
}

/** With which numbers of questions a row takes less than another, index included; null where that is not known. */
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
  return 'from' in one ? `from ${formatCount(one.from)}` : `until ${formatCount(one.until)}`
}
