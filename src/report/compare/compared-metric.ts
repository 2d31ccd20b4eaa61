import type { Manifest, ScorerRecord } from '../../records.ts'
import { whyNoDirection } from '../../basics/better-direction.ts'
import type { Cell } from '../table/cell.ts'

/** A scorer's metric, of all questions. */
export interface ComparedMetric {
  readonly scorer: ScorerRecord
  readonly metric: string
}

/**
 * The metric that a manifest names, else that of the first column that the table shows of which more is better; undefined where no row has a
 * score of any, or the one that is named has no better direction: an earlier version let a config name it.
 */
export function comparedMetric(
  { scorers, compare }: Pick<Manifest, 'scorers' | 'compare'>,
  cells: readonly Cell[],
): ComparedMetric | undefined {
  const named = compare?.metric
  if (named) {
    const scorer = scorers.find((one) => one.scorer === named.scorer)
    const isCompared = scorer && whyNoDirection(scorer, named.metric) === undefined
    return isCompared ? { scorer, metric: named.metric } : undefined
  }
  for (const scorer of scorers) {
    for (const { metric, subset = 'all', unit } of scorer.columns) {
      // a count is compared only where it is named
      if (unit === 'number' || unit === 'count' || whyNoDirection(scorer, metric) !== undefined) continue
      const isShown = (cell: Cell): boolean => cell.scorer === scorer.scorer && cell.metric === metric && cell.n > 0
      if (subset === 'all' && cells.some(isShown)) return { scorer, metric }
    }
  }
  return undefined
}
