import type { Phase } from '../../types.ts'
import type { RowSummary } from './row-summary.ts'
import type { UsageCell } from './usage.ts'
import { formatCount } from '../../text/amounts.ts'

/** Tokens are prompts and replies of language models. */
export interface Cost {
  readonly tokens: number
  /** In the currency of the prices; absent where a used model has no price. */
  readonly money?: number
  /** Duration of model calls, cached ones as first measured; absent where not measured. */
  readonly seconds?: number
}

export interface CostsOfRow {
  /** Sum over corpora, for one index each. */
  readonly index: Cost
  /** Mean without judges; null without trials. */
  readonly question: Cost | null
  /** Mean of the judges of a question; null without trials. */
  readonly judge: Cost | null
}

export function costsOfRow(
  { trials, indexes }: Pick<RowSummary, 'trials' | 'indexes'>,
  usage: readonly UsageCell[],
): CostsOfRow {
  const cost = (phases: readonly Phase[], share: number) => {
    const cells = usage.filter(({ phase }) => phases.includes(phase))
    const sum = (of: (cell: UsageCell) => number) => share * cells.reduce((all, cell) => all + of(cell), 0)
    const hasTimes = cells.every(({ calls, milliseconds }) => calls === 0 || milliseconds > 0)
    return {
      tokens: sum(({ promptTokens, completionTokens }) => promptTokens + completionTokens),
      ...(cells.every(({ money }) => money !== undefined) && { money: sum(({ money = 0 }) => money) }),
      ...(hasTimes && { seconds: sum(({ milliseconds }) => milliseconds) / 1000 }),
    }
  }
  return {
    index: cost(['index'], indexes ? indexes.corpora / indexes.built : 1),
    question: trials === 0 ? null : cost(['retrieve', 'answer'], 1 / trials),
    judge: trials === 0 ? null : cost(['judge'], 1 / trials),
  }
}

export type CostUnit = 'money' | 'tokens'

/** What rows are compared by: without judges. */
type OwnCosts = Pick<CostsOfRow, 'index' | 'question'>

/** Money where all rows have prices and some costs are not zero, else tokens. */
export function costUnit(rows: readonly OwnCosts[]): CostUnit {
  const costs = rows.flatMap(({ index, question }) => [index, ...(question ? [question] : [])])
  const arePriced = costs.every(({ money }) => money !== undefined)
  const areFree = costs.every(({ money }) => money === 0)
  return arePriced && !areFree ? 'money' : 'tokens'
}

/** From or until which question `row` is cheaper than `base`, index included; or a dash. */
export function breakEven(row: OwnCosts, base: OwnCosts, unit: CostUnit) {
  const more = differenceOf(row.index[unit], base.index[unit])
  const savings = differenceOf(base.question?.[unit], row.question?.[unit])
  if (more === undefined || savings === undefined) return '–'
  if (savings > 0) return more <= 0 ? 'always' : `from ${formatCount(Math.floor(more / savings) + 1)}`
  if (more >= 0) return 'never'
  if (savings === 0) return 'always'
  const until = Math.ceil(more / savings) - 1
  return until > 0 ? `until ${formatCount(until)}` : 'never'
}

const differenceOf = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a - b
