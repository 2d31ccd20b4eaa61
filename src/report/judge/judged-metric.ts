import { rangeOf } from '../../basics/metrics.ts'
import { UserError } from '../../errors.ts'
import type { Manifest, ScorerRecord } from '../../records.ts'
import { metricsNamed, unknownName } from '../../text/names.ts'

/** The scores of a judge that people check: a metric of a scorer that asks one. */
export interface JudgedMetric {
  readonly scorer: ScorerRecord
  readonly metric: string
  /** Least and greatest score, of the judge and of a person. */
  readonly range: readonly [least: number, greatest: number]
  readonly unit: 'percent' | 'number'
}

/** The scorer of that label, or the first of the run that asks a judge. Throws UserError naming those there are. */
export function judgedScorer({ scorers }: Manifest, label?: string): ScorerRecord {
  const judged = scorers.filter(({ judge }) => judge)
  const labels = judged.map(({ scorer }) => scorer)
  if (labels.length === 0) throw new UserError('this run has no scorer that asks a judge: there is nothing to check')
  if (label !== undefined && scorers.some(({ scorer, judge }) => scorer === label && !judge))
    throw new UserError(`the scorer "${label}" asks no judge (scorers of this run that do: ${labels.join(', ')})`)
  const found = label === undefined ? judged[0] : judged.find(({ scorer }) => scorer === label)
  if (!found) throw new UserError(unknownName('scorer', label ?? '', labels))
  return found
}

/** A metric of that scorer, named as in `table`, or one that has no column by its own name; that of its first column where none is named. */
export function judgedMetric(scorer: ScorerRecord, name?: string): JudgedMetric {
  const named = name === undefined ? scorer.columns[0] : metricsNamed(name, [scorer])[0]
  const metric = named?.metric ?? name ?? ''
  const shown = scorer.columns.find((column) => column.metric === metric)?.unit
  // what is shown as a count is judged as a share
  return { scorer, metric, range: rangeOf(metric, scorer.ranges), unit: shown === 'number' ? shown : 'percent' }
}
