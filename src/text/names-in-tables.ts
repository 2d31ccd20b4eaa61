import { rowName } from '../basics/row-name.ts'
import type { Row, ScorerRecord } from '../records.ts'
import type { ScorerColumn } from '../types.ts'
import { unknownName } from './nearest.ts'

/** The row of a name as tables have it, `gem-rag (components=2)` where options are varied; or what is wrong with the name. */
export function rowNamed<R extends Row>(name: string, rows: readonly R[]): R | string {
  const found = rows.find((row) => rowName(row) === name)
  if (found) return found
  const variants = rows.filter(({ method }) => method === name)
  if (variants.length > 0) return `"${name}" has several rows; name one of them: ${variants.map(rowName).join(', ')}`
  return unknownName('row', name, rows.map(rowName))
}

/** A column over all questions, with its full name, `scorer.metric`. */
interface NamedColumn {
  readonly scorer: string
  readonly metric: string
  readonly unit: ScorerColumn['unit']
  readonly full: string
  /** Its metric and its title. */
  readonly short: readonly (string | undefined)[]
}

type Scorers = readonly Pick<ScorerRecord, 'scorer' | 'columns'>[]

const columnsOf = (scorers: Scorers): readonly NamedColumn[] =>
  scorers.flatMap(({ scorer, columns }) =>
    columns
      .filter(({ subset = 'all' }) => subset === 'all')
      .map(({ metric, label, unit }) => ({
        scorer,
        metric,
        unit,
        full: `${scorer}.${metric}`,
        short: [metric, label],
      })),
  )

/** The columns over all questions that a name means: a metric, the title of a column, or `scorer.metric`. */
export const columnsNamed = (name: string, scorers: Scorers): readonly NamedColumn[] =>
  columnsOf(scorers).filter(({ full, short }) => full === name || short.includes(name))

/** The metric of a name, to compare rows on it; or what is wrong with the name, which stands in the message as `shown`. */
export function metricNamed(
  name: string,
  scorers: Scorers,
  shown = name,
): { readonly scorer: string; readonly metric: string } | string {
  const meant = columnsNamed(name, scorers)
  const [first, ...others] = meant
  if (others.length > 0)
    return `"${shown}" is a metric of several scorers; name ${either(meant.map(({ full }) => full))}`
  if (first?.unit === 'number')
    return `the metric "${shown}" has no better direction: rows cannot be compared on a number that is no share`
  if (first) return { scorer: first.scorer, metric: first.metric }
  const columns = columnsOf(scorers)
  const known = columns.filter(({ unit }) => unit !== 'number')
  const isShared = (metric: string): boolean => columns.filter((other) => other.metric === metric).length > 1
  return unknownName(
    'metric',
    shown,
    known.map(({ full, metric }) => (name.includes('.') || isShared(metric) ? full : metric)),
  )
}

const either = (names: readonly string[]): string => names.join(' or ')
