import { rangeOf } from '../../basics/metrics.ts'
import { UserError } from '../../errors.ts'
import type { Manifest, MethodRecord, Row, ScorerRecord } from '../../records.ts'
import { percent } from '../../text/amounts.ts'
import { findMetric, rowName, findRow } from '../../text/names.ts'
import { isOfMetric, isRow, rowsToCompare } from '../compare/rows-to-compare.ts'
import type { ChosenMetric } from '../gather/outcomes.ts'
import type { Table } from '../table/table.ts'

/** The lowest mean that passes: `METRIC=VALUE` for all compared rows, `ROW#METRIC=VALUE` for one row. */
export interface Threshold {
  readonly row?: string
  readonly metric: string
  readonly least: number
}

/** A row against a threshold. */
export interface ThresholdCheck {
  /** Such as `bm25: accuracy at least 80.0 %`. */
  readonly name: string
  readonly isMet: boolean
  /** The mean of the row, or why it has none. */
  readonly value: string
}

/** Throws UserError for a threshold with an unknown row or metric, or with a value beyond the range of its metric. */
export function validateThresholds(
  thresholds: readonly Threshold[],
  scorers: readonly ScorerRecord[],
  rows: readonly Row[],
): void {
  for (const { row, metric, least } of thresholds) {
    const fault = row === undefined ? undefined : findRow(row, rows)
    if (typeof fault === 'string') throw new UserError(`--min: ${fault}`)
    const match = resolveMetric(metric, scorers)
    const ranges = scorers.find(({ scorer }) => scorer === match.scorer)?.ranges
    const [lowest, highest] = rangeOf(match.metric, ranges)
    if (least > highest || least < lowest)
      throw new UserError(`--min ${metric}=${least}: the metric is from ${lowest} to ${highest}; .8 is 80 %`)
  }
}

/** Compares the rows of a table with thresholds. Throws UserError as `validateThresholds` does. */
export function checkThresholds(
  thresholds: readonly Threshold[],
  manifest: Manifest,
  { cells }: Pick<Table, 'cells'>,
  rows: readonly MethodRecord[] = rowsToCompare(manifest),
): readonly ThresholdCheck[] {
  validateThresholds(thresholds, manifest.scorers, manifest.methods)
  return thresholds.flatMap(({ row: name, metric, least }) => {
    const match = resolveMetric(metric, manifest.scorers)
    const selection = name === undefined ? rows : manifest.methods.filter((row) => rowName(row) === name)
    return selection.map((row): ThresholdCheck => {
      const mean = cells.find((cell) => isRow(cell, row) && isOfMetric(cell, match))?.mean ?? null
      return {
        name: `${rowName(row)}: ${metric} at least ${percent(least)}`,
        isMet: mean !== null && mean >= least,
        value: mean === null ? 'no score' : percent(mean),
      }
    })
  })
}

function resolveMetric(name: string, scorers: readonly ScorerRecord[]): ChosenMetric {
  const metric = findMetric(name, scorers)
  if (typeof metric === 'string') throw new UserError(`--min: ${metric}`)
  return metric
}
