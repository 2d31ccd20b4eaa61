import { UserError } from '../../errors.ts'
import type { ScorerRecord } from '../../records.ts'
import { metricNamed } from '../../text/names-in-tables.ts'
import type { Cell } from '../table/cell.ts'
import { comparedMetric } from '../compare/compared-metric.ts'

/** What runs are compared on: a metric, of a scorer by its label. */
export interface ChosenMetric {
  readonly scorer: string
  readonly metric: string
}

/**
 * The metric of that name, as `named` reads it, or, where none is given, the first that the table shows, among the scorers and cells given.
 * Throws UserError where there is none.
 */
export function chooseMetric(
  name: string | undefined,
  scorers: readonly ScorerRecord[],
  cells: readonly Cell[],
  named: (name: string, scorers: readonly ScorerRecord[]) => ChosenMetric | string = metricNamed,
): ChosenMetric {
  if (scorers.length === 0) throw new UserError('no scorer is in both runs; run them with a common one')
  if (name !== undefined) {
    const metric = named(name, scorers)
    if (typeof metric === 'string') throw new UserError(`--metric: ${metric}`)
    return metric
  }
  const first = comparedMetric({ scorers }, cells)
  if (!first) throw new UserError('the rows to compare have no score of a scorer that is in both runs')
  return { scorer: first.scorer.scorer, metric: first.metric }
}
