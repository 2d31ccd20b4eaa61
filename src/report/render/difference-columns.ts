import { rowName } from '../../basics/row-name.ts'
import type { Row } from '../../records.ts'
import type { ComparedRow, RowComparison } from '../compare/comparison.ts'

/** Columns that say how a row differs from the baseline. */
export interface DifferenceColumns {
  readonly titles: readonly string[]
  readonly textsOf: (row: Row) => readonly string[]
}

/**
 * The difference from the baseline in points with its 95 % interval and adjusted p, `+5.0 [-2.1, 12.3] p 0.18`, without p where no test can
 * reach the level, and without the interval where every question differs alike, which gives no error; and the questions won, tied and lost. No columns without a baseline.
 */
export function differenceColumns(comparison: RowComparison | undefined): DifferenceColumns {
  const baseline = comparison && baselineOf(comparison)
  if (!baseline) return { titles: [], textsOf: () => [] }
  const { rows, pairs } = comparison
  return {
    titles: [`${comparison.metric}: difference from ${rowName(baseline)}`, 'won/tied/lost'],
    textsOf: (row) => {
      const letter = rows.find(({ method, variant }) => method === row.method && variant === row.variant)?.letter
      const pair = pairs.find(({ a }) => a === letter)
      if (!pair) return ['–', '–']
      const { difference, low, high, pAdjusted, win, tie, loss } = pair
      const interval = low === null || high === null || low === high ? '' : ` [${points(low)}, ${points(high)}]`
      const p = canReach(comparison) ? ` p ${pAdjusted < 0.001 ? '<0.001' : pAdjusted.toFixed(3)}` : ''
      return [`${difference < 0 ? '' : '+'}${points(difference)}${interval}${p}`, `${win}/${tie}/${loss}`]
    },
  }
}

/** The row that every other row is compared with; undefined where all pairs are. */
export const baselineOf = ({ baseline, rows }: RowComparison): ComparedRow | undefined =>
  rows.find(({ letter }) => letter === baseline)

/** Whether a pair could differ at all after Holm's correction. */
export const canReach = ({ smallestP, alpha }: RowComparison): boolean => smallestP <= alpha

/** A fraction in points of a percentage. */
export const points = (fraction: number): string => (100 * fraction).toFixed(1)
