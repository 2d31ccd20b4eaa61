import type { RowComparison } from '../compare/row-comparison.ts'
import { rowName } from '../../text/names.ts'
import { canReach, points, shortP } from './columns.ts'
import { textGrid, type Grid } from './grid.ts'

/** Every pair that was compared: its questions, the means on these, the difference with both intervals, and both p. */
export function pairsGrid(comparison: RowComparison): Grid {
  const names = new Map(comparison.rows.map((row) => [row.letter, `${row.letter} ${rowName(row)}`]))
  const reaches = canReach(comparison)
  const labelled = comparison.pairs.some(({ labels }) => labels)
  return textGrid(
    [
      ...['row', 'against', 'questions', 'means', 'difference', '95 % interval', 'interval of all together'],
      ...['p', 'p corrected'],
      ...(labelled ? ['difference by the judge'] : []),
    ],
    comparison.pairs.map((pair) => [
      ...[names.get(pair.a) ?? pair.a, names.get(pair.b) ?? pair.b, pair.questions],
      `${points(pair.means.a)} and ${points(pair.means.b)}`,
      signed(pair.difference),
      ...[intervalText(pair), intervalText(pair.simultaneous)],
      ...(reaches ? [shortP(pair.p), shortP(pair.pAdjusted)] : ['–', '–']),
      ...(labelled ? [pair.labels ? signed(pair.labels.judge.difference) : '–'] : []),
    ]),
  )
}

/** What the grid of pairs shows, and how its two corrections differ. */
export const pairsTitle = ({ metric, pairs }: RowComparison): string =>
  `${metric}: every pair of rows, in points. The intervals of all together hold all differences at once in 95 % of runs ${pairs[0]?.test === 't' ? "(Bonferroni); the corrected p is Holm's" : '(single-step max-T); the corrected p is of the step-down test'}, and may be smaller than these intervals suggest`

const signed = (difference: number): string => `${difference < 0 ? '' : '+'}${points(difference)}`

const intervalText = ({ low, high }: { readonly low: number | null; readonly high: number | null }): string =>
  low === null || high === null ? '–' : `[${points(low)}, ${points(high)}]`
