import { UserError } from '../../errors.ts'
import type { ScorerRecord } from '../../records.ts'
import { unknownName } from '../../text/nearest.ts'
import type { Cell } from '../table/cell.ts'
import { comparedMetric } from '../compare/compared-metric.ts'

/** What runs are compared on: a metric, of a scorer by its label. */
export interface ChosenMetric {
  readonly scorer: string
  readonly metric: string
}

/**
 * The metric of that name (`scorer.metric`, or `metric` where one scorer has it) or, where none is given, the first that the table shows, among the scorers and the cells given.
 * Only a column in percent is compared: of any other number nothing says whether more is better. Throws UserError for every other name.
 */
export function chooseMetric(
  name: string | undefined,
  scorers: readonly ScorerRecord[],
  cells: readonly Cell[],
): ChosenMetric {
  if (scorers.length === 0) throw new UserError('no scorer is in both runs; run them with a common one')
  const known = scorers.flatMap(({ scorer, columns }) =>
    columns.flatMap(({ metric, unit }) => (unit === 'number' ? [] : [{ scorer, metric }])),
  )
  if (name === undefined) {
    const first = comparedMetric({ scorers }, cells)
    if (!first) throw new UserError('the rows to compare have no score of a scorer that is in both runs')
    return { scorer: first.scorer.scorer, metric: first.metric }
  }
  const ofMetric = known.filter(({ metric }) => metric === name)
  const found = known.find((one) => nameOf(one) === name) ?? (ofMetric.length === 1 ? ofMetric[0] : undefined)
  if (found) return found
  const others = [
    ...scorers.flatMap(({ scorer, columns }) => columns.map(({ metric }) => ({ scorer, metric }))),
    ...cells,
  ]
  const names = [...new Set(known.map(nameOf))]
  if (others.some((one) => nameOf(one) === name))
    throw new UserError(
      `--metric ${name}: nothing says whether a higher value is better; choose one of ${names.join(', ')}`,
    )
  throw new UserError(unknownName('metric', name, names))
}

const nameOf = ({ scorer, metric }: ChosenMetric): string => `${scorer}.${metric}`
