import { whyNoDirection } from '../../basics/metrics.ts'
import type { Manifest, MethodRecord, Row, ScorerRecord, CompareRecord } from '../../records.ts'
import type { Cell } from '../table/estimate.ts'
import { UserError } from '../../errors.ts'
import { findMetric, findRow } from '../../text/names.ts'

/** Rows of the config but reference rows, and the baseline; of rows that differ in their labels alone one. */
export function rowsToCompare({ methods, compare }: Pick<Manifest, 'methods' | 'compare'>): readonly MethodRecord[] {
  const isBaseline = (row: MethodRecord): boolean => compare?.baseline !== undefined && isRow(row, compare.baseline)
  const rows = methods.filter((row) => (row.inConfig !== false && !isReferenceRow(row)) || isBaseline(row))
  return rows.filter((row) => {
    const equal = rows.filter(({ id }) => id === row.id)
    return row === (equal.find(isBaseline) ?? equal[0])
  })
}

/**
 * The row named, or the first of a sweep (`vary`) of three rows or more of one method, unless all pairs are asked for;
 * undefined for all pairs. What all rows of a series' run share is not varied among them.
 */
export function baselineIn(manifest: Pick<Manifest, 'methods' | 'compare' | 'series' | 'varied'>): Row | undefined {
  const { compare, series, varied: common = [] } = manifest
  if (compare?.baseline || compare?.allPairs) return compare.baseline
  const rows = rowsToCompare(manifest)
  const isSweep =
    rows.length > 2 &&
    rows.every(({ varied = [] }) => varied.some(({ option }) => !common.some((one) => one.option === option))) &&
    (series === undefined || new Set(rows.map(({ method }) => method)).size === 1)
  return isSweep ? rows[0] : undefined
}

/** Whether two things are of a row of one name. */
export const isRow = (one: Row, { method, variant }: Row): boolean => one.method === method && one.variant === variant

/** Whether a cell or column is of a metric over all questions. */
export const isOfMetric = (
  { scorer, metric, subset }: Pick<Cell, 'scorer' | 'metric' | 'subset'>,
  one: { readonly scorer: string; readonly metric: string } | undefined,
): boolean => scorer === one?.scorer && metric === one.metric && subset === 'all'

/** Each of the others with the baseline, or all pairs where there is none. */
export const pairsAmong = <T>(rows: readonly T[], baseline: T | undefined): readonly (readonly [T, T])[] =>
  baseline === undefined
    ? rows.flatMap((a, i) => rows.slice(i + 1).map((b) => [a, b] as const))
    : rows.filter((row) => row !== baseline).map((row) => [row, baseline] as const)

/** Whether a row is for orientation alone: its context is not of the budget, or its answers are its own. */
export const isReferenceRow = ({ context, answers }: Pick<MethodRecord, 'context' | 'answers'>): boolean =>
  context !== undefined || answers !== undefined

/** What † says of the reference rows among some, without a full stop; nothing where there are none. */
export function referenceNote(rows: readonly Pick<MethodRecord, 'context'>[]): readonly string[] {
  const ordered = rows.some(({ context }) => context === 'evidence')
  if (!rows.some(({ context }) => context)) return []
  return [
    `† Reference row: no context, ${ordered ? 'outside the budget, or in the order of the evidence' : 'or outside the budget'}`,
  ]
}

/** The marks after the name of a row: † reference row, ‡ answers of its own, § no longer in the config. */
export const markOf = ({
  context,
  answers,
  inConfig,
}: Pick<MethodRecord, 'context' | 'answers' | 'inConfig'>): string =>
  `${context === undefined ? '' : ' †'}${answers === undefined ? '' : ' ‡'}${inConfig === false ? ' §' : ''}`

/** A scorer's metric, of all questions. */
export interface ComparedMetric {
  readonly scorer: ScorerRecord
  readonly metric: string
}

/** The metric named, else the first that is shown and scored of which more is better; undefined where there is none. */
export function comparedMetric(
  { scorers, compare }: Pick<Manifest, 'scorers' | 'compare'>,
  cells: readonly Cell[],
): ComparedMetric | undefined {
  const named = compare?.metric
  if (named) {
    const scorer = scorers.find((one) => one.scorer === named.scorer)
    const isCompared = scorer && whyNoDirection(scorer, named.metric) === undefined
    return isCompared ? { scorer, metric: named.metric } : undefined
  }
  for (const scorer of scorers) {
    for (const { metric, subset = 'all', unit, shown } of scorer.columns) {
      // a count is compared only where it is named
      if (shown === false || unit === 'number' || unit === 'count' || whyNoDirection(scorer, metric) !== undefined)
        continue
      const isShown = (cell: Cell): boolean => cell.scorer === scorer.scorer && cell.metric === metric && cell.n > 0
      if (subset === 'all' && cells.some(isShown)) return { scorer, metric }
    }
  }
  return undefined
}

/** How a table is to compare rows, where it is not as the config says. `baseline` is false for all pairs. */
export interface CompareSettings {
  readonly baseline?: string | false
  readonly metric?: string
  readonly margin?: number
}

/**
 * The manifest with the comparison asked for. Throws UserError for an unknown row or metric, `mark` before its setting.
 */
export function comparedAs(
  manifest: Manifest,
  { baseline: wanted, metric: named, margin: within }: CompareSettings,
  mark = '',
): Manifest {
  const { compare } = manifest
  if (!compare && [wanted, named, within].every((value) => value === undefined)) return manifest
  const found = <T>(setting: string, value: T | string): T => {
    if (typeof value === 'string') throw new UserError(`${mark}${setting}: ${value}`)
    return value
  }
  const baseline =
    wanted === undefined
      ? compare?.baseline
      : wanted === false
        ? undefined
        : rowOf(found('baseline', findRow(wanted, manifest.methods)))
  const metric = named === undefined ? compare?.metric : found('metric', findMetric(named, manifest.scorers))
  const margin = within ?? compare?.margin
  if (margin !== undefined && !(margin > 0 && margin < 1))
    throw new UserError(`${mark}margin: must be more than 0 and less than 1, not ${margin}`)
  return {
    ...manifest,
    compare: {
      ...(baseline ? { baseline } : wanted === false && { allPairs: true }),
      ...(metric && { metric }),
      ...(margin !== undefined && { margin }),
    },
  }
}

const rowOf = ({ method, variant }: NonNullable<CompareRecord['baseline']>) => ({ method, variant })
