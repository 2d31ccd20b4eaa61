import { distance } from 'fastest-levenshtein'
import { countEach, groupBy } from '../basics/collections.ts'
import { whyNoDirection } from '../basics/metrics.ts'
import type { Row, ScorerRecord } from '../records.ts'

/** The likely intended candidate: the nearest by edit distance, within a third of its length. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const farthest = Math.max(1, Math.ceil(candidate.length / 3))
    // skips names whose length alone exceeds the distance; lower-casing at most doubles a length
    if (name.length > 2 * (candidate.length + farthest)) continue
    const away = distance(name.toLowerCase(), candidate.toLowerCase())
    if (away <= farthest && (!best || away < best.distance)) best = { candidate, distance: away }
  }
  return best?.candidate
}

/** `unknown method "bm52"; did you mean "bm25"? known: …` */
export function unknownName(kind: string, name: string, names: readonly string[]): string {
  const near = nearest(name, names)
  return `unknown ${kind} "${name}"${near ? `; did you mean "${near}"?` : ''} (known: ${names.join(', ')})`
}

/** A row's name in tables: `bm25`, or `gem-rag (components=2)` with varied options. */
export const rowName = ({ method, variant }: { readonly method: string; readonly variant: string }): string =>
  variant === '' ? method : `${method} (${variant})`

/** The variant of a row: `components=2, questions=5`; empty without varied options. */
export const variantOf = (options: readonly { readonly option: string; readonly text: string }[]): string =>
  options.map(({ option, text }) => `${option}=${text}`).join(', ')

/** Row labels of figures: varied options, with the method where several methods vary; others as in tables. */
export function rowLabels(
  rows: readonly (Row & { readonly varied?: readonly { readonly option: string; readonly text: string }[] })[],
): readonly string[] {
  const varying = new Set(rows.flatMap(({ method, varied: options = [] }) => (options.length > 0 ? [method] : [])))
  return rows.map(({ varied: options = [], ...row }) => {
    if (options.length === 0) return rowName(row)
    const values = options.map(({ option, text }) => `${option} ${text}`)
    return [...(varying.size > 1 ? [row.method] : []), ...values].join(', ')
  })
}

/** The row with a name as in tables, or an error message. */
export function findRow<R extends Row>(name: string, rows: readonly R[]): R | string {
  const match = rows.find((row) => rowName(row) === name)
  if (match) return match
  const variants = rows.filter(({ method }) => method === name)
  if (variants.length > 0) return `"${name}" has several rows; name one of them: ${variants.map(rowName).join(', ')}`
  return unknownName('row', name, rows.map(rowName))
}

type Scorers = readonly Pick<ScorerRecord, 'scorer' | 'columns' | 'failures'>[]

interface Metric {
  readonly scorer: string
  readonly metric: string
}

/** The metric of a name, if rows can be compared on it, or an error message. */
export function findMetric(name: string, scorers: Scorers): Metric | string {
  const names = metricsOf(scorers).flatMap((metric) => (metric.noDirection === undefined ? metric.nameLike(name) : []))
  const match = findAnyMetric(name, scorers, names)
  const [noDirection] = findMetrics(name, scorers).map((metric) => metric.noDirection)
  if (typeof match === 'string' || noDirection === undefined) return match
  return `the metric "${name}" has no better direction: ${noDirection} (comparable: ${names.join(', ') || 'none'})`
}

/** The metric of a name, or an error message. */
export function findAnyMetric(
  name: string,
  scorers: Scorers,
  names = metricsOf(scorers).map((metric) => metric.nameLike(name)),
): Metric | string {
  const [first, ...rest] = findMetrics(name, scorers)
  if (!first) return unknownName('metric', name, names)
  if (rest.length === 0) return { scorer: first.scorer, metric: first.metric }
  return `"${name}" is a metric of several scorers; name ${[first, ...rest].map(({ full }) => full).join(' or ')}`
}

/** The metrics over all questions with this name: a metric, a column title, or `scorer.metric`. */
export const findMetrics = (name: string, scorers: Scorers) =>
  metricsOf(scorers).filter(({ names }) => names.includes(name))

/** Distinct metrics: two columns may show one as a share and as a count. */
function metricsOf(scorers: Scorers) {
  const metrics = scorers.flatMap((record) => {
    const columns = record.columns.filter(({ subset = 'all' }) => subset === 'all')
    return Array.from(
      groupBy(columns, ({ metric }) => metric),
      ([metric, ofMetric]) => ({ record, metric, labels: ofMetric.map(({ label }) => label) }),
    )
  })
  const counts = countEach(metrics.map(({ metric }) => metric))
  return metrics.map(({ record, metric, labels }) => {
    const { scorer } = record
    const full = `${scorer}.${metric}`
    return {
      scorer,
      metric,
      full,
      names: [full, metric, ...labels],
      /** The shortest name of no other metric; with the scorer where `name` has one. */
      nameLike: (name: string) => (name.includes('.') || counts.get(metric) !== 1 ? full : metric),
      /** Why higher is not better; undefined where it is. */
      noDirection: whyNoDirection(record, metric),
    }
  })
}
