import { whyNoDirection } from '../../basics/metrics.ts'
import type { Manifest, MethodRecord, Row, ScorerRecord } from '../../records.ts'
import type { Cell } from '../gather/estimate.ts'
import type { ChosenMetric } from '../gather/outcomes.ts'
import { UserError } from '../../errors.ts'
import { present } from '../../text/amounts.ts'
import { findMetric, findRow } from '../../text/names.ts'

/** What the choice of rows depends on. */
type ComparedRows = Pick<Manifest, 'methods' | 'compare'>

/** What a comparison depends on, besides its scores. */
export type ComparedRun = ComparedRows & Pick<Manifest, 'scorers' | 'seed' | 'series' | 'varied'>

/** Rows without reference rows, plus the baseline. Rows that differ only in their labels count once. */
export function rowsToCompare({ methods, compare }: ComparedRows): readonly MethodRecord[] {
  const isBaseline = (row: MethodRecord) => compare?.baseline !== undefined && isRow(row, compare.baseline)
  const isSystem = (row: MethodRecord) => row.inConfig !== false && !isReferenceRow(row)
  const rows = methods.filter((row) => isSystem(row) || isBaseline(row))
  return rows.filter((row) => {
    const equal = rows.filter(({ id }) => id === row.id)
    return row === (equal.find(isBaseline) ?? equal[0])
  })
}

/**
 * The configured baseline, or the first row of a sweep (`vary`) of three or more rows of one method; undefined for all
 * pairs. Options that all rows of a run of a series share do not count as varied.
 */
export function baselineIn(manifest: ComparedRun): Row | undefined {
  const { compare, series, varied: common = [] } = manifest
  if (compare?.baseline || compare?.allPairs) return compare.baseline
  const rows = rowsToCompare(manifest)
  const isSweep =
    rows.length > 2 &&
    rows.every(({ varied: variedValues = [] }) =>
      variedValues.some(({ option }) => !common.some((value) => value.option === option)),
    ) &&
    (series === undefined || new Set(rows.map(({ method }) => method)).size === 1)
  return isSweep ? rows[0] : undefined
}

/** Whether two records belong to the same row. */
export const isRow = (first: Row, { method, variant }: Row): boolean =>
  first.method === method && first.variant === variant

/** Whether a cell or column shows the metric over all questions. */
export const isOfMetric = (
  { scorer, metric, subset }: Pick<Cell, 'scorer' | 'metric' | 'subset'>,
  mainMetric: ChosenMetric | undefined,
): boolean => scorer === mainMetric?.scorer && metric === mainMetric.metric && subset === 'all'

/** Each other row with the baseline, or all pairs. */
export const pairsAmong = <T>(rows: readonly T[], baseline: T | undefined): readonly (readonly [T, T])[] =>
  baseline === undefined
    ? rows.flatMap((a, i) => rows.slice(i + 1).map((b) => [a, b] as const))
    : rows.filter((row) => row !== baseline).map((row) => [row, baseline] as const)

/** Whether a row is for orientation only: its context ignores the budget, or it brings its own answers. */
export const isReferenceRow = ({ context, answers }: Pick<MethodRecord, 'context' | 'answers'>): boolean =>
  context !== undefined || answers !== undefined

/** The footnote of †, without a full stop; empty without reference rows. */
export function referenceNote(rows: readonly Pick<MethodRecord, 'context'>[]): readonly string[] {
  const hasReferenceRow = rows.some(({ context }) => context !== undefined)
  return hasReferenceRow ? ['† Reference row: no context, the evidence, or more than the budget'] : []
}

/** Marks after a row name: † reference row, ‡ own answers, § no longer in the config. */
export const markOf = ({ context, answers, inConfig }: Marks): string =>
  present(context && ' †', answers && ' ‡', inConfig === false && ' §').join('')

/** What the marks of a row depend on. */
export type Marks = Pick<MethodRecord, 'context' | 'answers' | 'inConfig'>

/** A metric of a scorer, over all questions. */
export interface ComparedMetric extends ChosenMetric {
  readonly record: ScorerRecord
}

/** The configured metric, else the first scored column where higher is better; undefined without one. */
export function comparedMetric(
  { scorers, compare }: Pick<Manifest, 'scorers' | 'compare'>,
  cells: readonly Cell[],
): ComparedMetric | undefined {
  const metric = compare?.metric
  // counts are compared only where the config names them
  if (!metric) return scorers.flatMap((scorer) => scoredMetrics(scorer, cells, ['percent']))[0]
  const record = scorers.find(({ scorer }) => scorer === metric.scorer)
  return record && whyNoDirection(record, metric.metric) === undefined ? { ...metric, record } : undefined
}

/** Shown metrics of a scorer over all questions that have a direction and a score. */
function scoredMetrics(
  record: ScorerRecord,
  cells: readonly Cell[],
  units: readonly string[] = ['percent', 'number', 'count'],
) {
  const { scorer } = record
  const hasScore = (metric: string) =>
    cells.some((cell) => cell.scorer === scorer && cell.metric === metric && cell.n > 0)
  return record.columns
    .filter(
      ({ subset = 'all', unit = 'percent', shown }) => subset === 'all' && shown !== false && units.includes(unit),
    )
    .filter(({ metric }) => whyNoDirection(record, metric) === undefined && hasScore(metric))
    .map(({ metric }) => ({ scorer, metric, record }))
}

/** Recall at the largest cut-off within the budget, else the first retrieval metric with scores. */
export function retrievalMetric(
  { scorers, budget, answers }: Manifest,
  cells: readonly Cell[],
): ComparedMetric | undefined {
  const metrics = scorers.filter(({ use }) => use === 'retrieval').slice(0, 1)
  const candidates = metrics.flatMap((record) => scoredMetrics(record, cells))
  const cutoffOf = ({ metric }: ComparedMetric) => Number(/^recall@(\d+)$/.exec(metric)?.[1] ?? 0)
  const depth = answers === 'none' ? Infinity : budget.passages
  const recalls = candidates.filter((metric) => cutoffOf(metric) > 0 && cutoffOf(metric) <= depth)
  return recalls.toSorted((a, b) => cutoffOf(b) - cutoffOf(a))[0] ?? candidates[0]
}

/** The metric of that name, else the first column with scores. Throws UserError for none. */
export function chooseMetric(
  name: string | undefined,
  scorers: readonly ScorerRecord[],
  cells: readonly Cell[],
  resolveMetric: (name: string, scorers: readonly ScorerRecord[]) => ChosenMetric | string = findMetric,
): ChosenMetric {
  if (scorers.length === 0) throw new UserError('no scorer is in both runs; run them with a common one')
  const metric = name === undefined ? comparedMetric({ scorers }, cells) : resolveMetric(name, scorers)
  if (!metric) throw new UserError('the rows to compare have no score of a scorer that is in both runs')
  if (typeof metric === 'string') throw new UserError(`metric: ${metric}`)
  return { scorer: metric.scorer, metric: metric.metric }
}

/** Comparison settings that override the config; `baseline: false` compares all pairs. */
export interface CompareSettings {
  readonly baseline?: string | false
  readonly metric?: string
  readonly margin?: number
}

/** The manifest with these comparison settings. Throws UserError for an unknown row or metric. */
export function comparedAs(
  manifest: Manifest,
  { baseline: row, metric: name, margin: within }: CompareSettings,
): Manifest {
  const { compare, methods, scorers } = manifest
  if (!compare && row === undefined && name === undefined && within === undefined) return manifest
  const settingOf = <T>(setting: string, value: T | string): T => {
    if (typeof value === 'string') throw new UserError(`${setting}: ${value}`)
    return value
  }
  const baseline = typeof row === 'string' ? settingOf('baseline', findRow(row, methods)) : compare?.baseline
  const metric = name === undefined ? compare?.metric : settingOf('metric', findMetric(name, scorers))
  const margin = within ?? compare?.margin
  if (margin !== undefined && !(margin > 0 && margin < 1))
    throw new UserError(`margin: must be more than 0 and less than 1, not ${margin}`)
  return {
    ...manifest,
    compare: {
      ...(row === false ? { allPairs: true } : baseline && { baseline }),
      ...(metric && { metric }),
      ...(margin !== undefined && { margin }),
    },
  }
}
