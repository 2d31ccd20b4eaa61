import { rowName } from '../../text/names.ts'
import type { Row } from '../../records.ts'
import { plural } from '../render/amounts.ts'
import type { Cell } from '../table/estimate.ts'
import type { Table, TableRow } from '../table/table.ts'
import { variance } from '../../math/statistics/descriptive.ts'
import type { PaperCell } from './paper-table.ts'

/** A row of a run's table, and what of its trials failed. */
interface FoundRow {
  readonly row: TableRow
  /** Its label and variant. */
  readonly name: string
  readonly failure: string | undefined
}

/** Which number of a row. */
type ScoreName = Readonly<Record<'scorer' | 'metric' | 'subset', string>>

/** A row of the table of the run so named, or why there is none. */
export function findRow(table: Table, run: string, row: Row): FoundRow | string {
  const name = rowName(row)
  const found = table.rows.find((one) => isOf(one, row))
  if (!found) return `the run "${run}" has no row "${name}"`
  const { trials, failed } = found
  return {
    row: found,
    name,
    failure: failed > 0 ? `${failed} of ${plural(trials, 'trial')} of ${name} failed` : undefined,
  }
}

/** A score of a row and what of it failed, those of failed trials first; or why there is none. */
export function findScore(
  { cells }: Table,
  { row, name, failure: lost }: FoundRow,
  { scorer, metric, subset }: ScoreName,
): { readonly cell: Cell & { readonly mean: number }; readonly failure: string | undefined } | string {
  const cell = cells.find(
    (one) => isOf(one, row) && one.scorer === scorer && one.metric === metric && one.subset === subset,
  )
  const what = `${scorer}.${metric}${subset === 'all' ? '' : ` on ${subset}`}`
  const failure =
    lost ?? (cell && cell.failed > 0 ? `${plural(cell.failed, 'score')} of ${name} failed: ${what}` : undefined)
  if (cell?.mean == null) return failure ?? `${name} has no value of ${what}`
  return { cell: { ...cell, mean: cell.mean }, failure }
}

/** Whether something of a table belongs to a row. */
export const isOf = ({ method, variant }: Row, row: Row): boolean => method === row.method && variant === row.variant

/** The variance of the runs of a cell: as printed, else of the values of single runs; undefined where the paper prints neither. */
export const varianceOfRuns = ({ variance: printed, perRun }: PaperCell): number | undefined =>
  printed ?? (perRun && variance(perRun))
