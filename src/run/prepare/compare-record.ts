import type { PlannedCompare } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import type { CompareRecord, ScorerRecord } from '../../records.ts'
import { metricNamed } from '../../text/names.ts'

/** How rows are compared, with the metric that its name means among the scorers. Throws UserError where it means none. */
export function compareRecordOf(
  { metric: named, ...compare }: PlannedCompare,
  scorers: readonly ScorerRecord[],
): CompareRecord {
  if (!named) return compare
  const metric = metricNamed(named.name, scorers, named.shown)
  if (typeof metric === 'string') throw new UserError(`${named.at}: compare.metric: ${metric}`)
  return { ...compare, metric }
}
