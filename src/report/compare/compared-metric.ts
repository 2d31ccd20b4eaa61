import type { Manifest, ScorerRecord } from '../../records.ts'
import type { Cell } from '../table/cell.ts'

/** A scorer's metric, of all questions. */
export interface ComparedMetric {
  readonly scorer: ScorerRecord
  readonly metric: string
}

/** The metric that a manifest names, else that of the first column that the table shows; undefined where no row has a score of any. */
export function comparedMetric(
  { scorers, compare }: Pick<Manifest, 'scorers' | 'compare'>,
  cells: readonly Cell[],
): ComparedMetric | undefined {
  const named = compare?.metric
  if (named) {
    const scorer = scorers.find((one) => one.scorer === named.scorer)
    return scorer && { scorer, metric: named.metric }
  }
  for (const scorer of scorers) {
    for (const { metric, subset = 'all', unit } of scorer.columns) {
      // a number has no better direction
      if (unit === 'number' || unit === 'count') continue
      const isShown = (cell: Cell): boolean => cell.scorer === scorer.scorer && cell.metric === metric && cell.n > 0
      if (subset === 'all' && cells.some(isShown)) return { scorer, metric }
    }
  }
  return undefined
}
