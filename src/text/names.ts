import { distance } from 'fastest-levenshtein'
import { whyNoDirection } from '../basics/metrics.ts'
import type { Row, ScorerRecord } from '../records.ts'

/** The candidate that was probably meant: the nearest by edit distance within a third of its length, or none. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const farthest = Math.max(1, Math.ceil(candidate.length / 3))
    // every letter too many is an edit, and the candidate in lower case is at most twice as long as it is written
    if (name.length > 2 * (candidate.length + farthest)) continue
    const away = distance(name.toLowerCase(), candidate.toLowerCase())
    if (away <= farthest && (!best || away < best.distance)) best = { candidate, distance: away }
  }
  return best?.candidate
}

/** `unknown method "bm52"; did you mean "bm25"? known: …` */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  return `unknown ${what} "${name}"${near ? `; did you mean "${near}"?` : ''} (known: ${known.join(', ')})`
}

/** A row's name in tables: `bm25`, or `gem-rag (components=2)` where options are varied. */
export const rowName = ({ method, variant }: { readonly method: string; readonly variant: string }): string =>
  variant === '' ? method : `${method} (${variant})`

/** The variant of a row: `components=2, questions=5`; empty where nothing is varied. */
export const variantOf = (varied: readonly { readonly option: string; readonly text: string }[]): string =>
  varied.map(({ option, text }) => `${option}=${text}`).join(', ')

/** Rows in figures: of those that vary, what is varied, with the method where several vary; others as in tables. */
export function rowLabels(
  rows: readonly (Row & { readonly varied?: readonly { readonly option: string; readonly text: string }[] })[],
): readonly string[] {
  const varying = new Set(rows.flatMap(({ method, varied = [] }) => (varied.length > 0 ? [method] : [])))
  return rows.map(({ varied = [], ...row }) => {
    if (varied.length === 0) return rowName(row)
    const values = varied.map(({ option, text }) => `${option} ${text}`)
    return [...(varying.size > 1 ? [row.method] : []), ...values].join(', ')
  })
}

/** The row of a name as tables have it, `gem-rag (components=2)`; or what is wrong with the name. */
export function rowNamed<R extends Row>(name: string, rows: readonly R[]): R | string {
  const found = rows.find((row) => rowName(row) === name)
  if (found) return found
  const variants = rows.filter(({ method }) => method === name)
  if (variants.length > 0) return `"${name}" has several rows; name one of them: ${variants.map(rowName).join(', ')}`
  return unknownName('row', name, rows.map(rowName))
}

type Scorers = readonly Pick<ScorerRecord, 'scorer' | 'columns' | 'failures'>[]

interface Metric {
  readonly scorer: string
  readonly metric: string
}

/** The metric of a name, to compare rows on it; or what is wrong with the name, shown as `shown`. */
export function metricNamed(name: string, scorers: Scorers, shown = name): Metric | string {
  const known = knownNames(name, scorers, ({ noDirection }) => noDirection === undefined)
  const meant = theOne(name, scorers, shown, known)
  if (typeof meant === 'string') return meant
  const { scorer, metric, noDirection } = meant
  if (noDirection === undefined) return { scorer, metric }
  return `the metric "${shown}" has no better direction: ${noDirection} (comparable: ${known.join(', ') || 'none'})`
}

/** The metric of a name, whether or not more of it is better; or what is wrong with the name. */
export function anyMetricNamed(name: string, scorers: Scorers): Metric | string {
  const meant = theOne(name, scorers, name, knownNames(name, scorers))
  return typeof meant === 'string' ? meant : { scorer: meant.scorer, metric: meant.metric }
}

/** The metrics over all questions that a name means: a metric, the title of a column, or `scorer.metric`. */
export const metricsNamed = (name: string, scorers: Scorers): readonly NamedMetric[] =>
  metricsOf(scorers).filter(({ full, short }) => full === name || short.includes(name))

/** A metric that columns show over all questions, with its full name, `scorer.metric`. */
interface NamedMetric extends Metric {
  readonly full: string
  readonly short: readonly (string | undefined)[]
  /** Why more of it is not better; undefined where it is. */
  readonly noDirection: string | undefined
}

/** Every metric once, even where two columns show it: as a share and as a count. */
const metricsOf = (scorers: Scorers): readonly NamedMetric[] =>
  scorers.flatMap((record) => {
    const { scorer } = record
    const columns = record.columns.filter(({ subset = 'all' }) => subset === 'all')
    return [...new Set(columns.map(({ metric }) => metric))].map((metric) => ({
      scorer,
      metric,
      full: `${scorer}.${metric}`,
      short: [metric, ...columns.flatMap((column) => (column.metric === metric ? [column.label] : []))],
      noDirection: whyNoDirection(record, metric),
    }))
  })

function theOne(name: string, scorers: Scorers, shown: string, known: readonly string[]): NamedMetric | string {
  const [first, ...others] = metricsNamed(name, scorers)
  if (!first) return unknownName('metric', shown, known)
  if (others.length === 0) return first
  return `"${shown}" is a metric of several scorers; name ${[first, ...others].map(({ full }) => full).join(' or ')}`
}

/** The names that a message lists: full ones where the name has a dot, or two scorers share a metric's name. */
function knownNames(
  name: string,
  scorers: Scorers,
  isListed: (metric: NamedMetric) => boolean = () => true,
): readonly string[] {
  const metrics = metricsOf(scorers)
  const isShared = (metric: string): boolean => metrics.filter((other) => other.metric === metric).length > 1
  return metrics.filter(isListed).map((one) => (name.includes('.') || isShared(one.metric) ? one.full : one.metric))
}
