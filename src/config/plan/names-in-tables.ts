import { rowName } from '../../basics/row-name.ts'
import type { Row, ScorerRecord } from '../../records.ts'
import { unknownName } from '../../text/nearest.ts'

/** The row of a name as tables have it, `gem-rag (components=2)` where options are varied; or what is wrong with the name. */
export function rowNamed(name: string, rows: readonly Row[]): Row | string {
  const found = rows.find((row) => rowName(row) === name)
  if (found) return found
  const variants = rows.filter(({ method }) => method === name)
  if (variants.length > 0) return `"${name}" has several rows; name one of them: ${variants.map(rowName).join(', ')}`
  return unknownName('row', name, rows.map(rowName))
}

/**
 * The metric of a name: a metric or a title of a column over all questions, or `scorer.metric`; or what is wrong with the name, which stands
 * in the message as `shown`.
 */
export function metricNamed(
  name: string,
  scorers: readonly Pick<ScorerRecord, 'scorer' | 'columns'>[],
  shown = name,
): { readonly scorer: string; readonly metric: string } | string {
  const columns = scorers.flatMap(({ scorer, columns: own }) =>
    own
      .filter(({ subset = 'all' }) => subset === 'all')
      .map(({ metric, label, unit }) => ({
        scorer,
        metric,
        unit,
        full: `${scorer}.${metric}`,
        short: [metric, label],
      })),
  )
  const meant = columns.filter(({ full, short }) => full === name || short.includes(name))
  const [first, ...others] = meant
  if (others.length > 0)
    return `"${shown}" is a metric of several scorers; name ${either(meant.map(({ full }) => full))}`
  if (first?.unit === 'number')
    return `the metric "${shown}" has no better direction: rows cannot be compared on a number that is no share`
  if (first) return { scorer: first.scorer, metric: first.metric }
  const known = columns.filter(({ unit }) => unit !== 'number')
  const isShared = (metric: string): boolean => columns.filter((other) => other.metric === metric).length > 1
  return unknownName(
    'metric',
    shown,
    known.map(({ full, metric }) => (name.includes('.') || isShared(metric) ? full : metric)),
  )
}

const either = (names: readonly string[]): string => names.join(' or ')
