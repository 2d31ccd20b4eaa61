import { whyNoDirection } from '../../basics/metrics.ts'
import type { Manifest } from '../../records.ts'
import type { Cell } from '../gather/estimate.ts'
import type { ComparedMetric } from './rows-to-compare.ts'

/** The main retrieval metric: recall at the largest cut-off within the budget, else the first one with scores. */
export function retrievalMetric(
  { scorers, budget, answers }: Pick<Manifest, 'scorers' | 'budget' | 'answers'>,
  cells: readonly Cell[],
): ComparedMetric | undefined {
  const scorer = scorers.find(({ use }) => use === 'retrieval')
  if (!scorer) return undefined
  const metrics = scorer.columns.flatMap(({ metric, subset = 'all', shown: isShown }) =>
    subset === 'all' &&
    isShown !== false &&
    whyNoDirection(scorer, metric) === undefined &&
    cells.some((cell) => cell.scorer === scorer.scorer && cell.metric === metric && cell.n > 0)
      ? [metric]
      : [],
  )
  const cutoffOf = (metric: string): number => Number(/^recall@(\d+)$/.exec(metric)?.[1] ?? 0)
  const depth = answers === 'none' ? Infinity : budget.passages
  const recalls = metrics.filter((metric) => cutoffOf(metric) > 0 && cutoffOf(metric) <= depth)
  const [metric = metrics[0]] = recalls.toSorted((a, b) => cutoffOf(b) - cutoffOf(a))
  return metric === undefined ? undefined : { scorer, metric }
}
