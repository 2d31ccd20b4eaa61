import type { Row } from '../../records.ts'
import type { Cell, Table } from '../table.ts'
import type { PaperCell, PaperColumn, PaperTable } from './paper-table.ts'

/** What became of a run of a paper's table. `incomparable` says why its cells have no verdict. */
export type Ran = { readonly table: Table; readonly incomparable?: string } | { readonly missing: readonly string[] }

/** `within` the tolerance, `above` or `below` the paper; `not comparable` where data or models are others, `not run` where there is no cell of ours. */
export type Verdict = 'within' | 'above' | 'below' | 'not comparable' | 'not run'

/** Our cell beside the paper's, in the paper's unit. `error` is our standard error over runs. */
export interface Compared {
  readonly row: string
  readonly column: string
  readonly paper: number | null
  readonly ours: number | null
  readonly error: number | null
  readonly difference: number | null
  readonly tolerance: number | null
  readonly verdict: Verdict
  /** Why there is no verdict. */
  readonly reason?: string
}

/** The cells of a paper's table whose runs were asked for, with ours, in the order of the paper. */
export function compare(paper: PaperTable, runs: ReadonlyMap<string, Ran>): readonly Compared[] {
  return paper.cells.flatMap((cell) => {
    const column = paper.columns[cell.column]
    const row = paper.rows[cell.row]
    if (!column || !row) throw new Error('a checked table lacks a row or column')
    const none = { row: cell.row, column: cell.column, paper: cell.value, ours: null, error: null, difference: null }
    const notRun = (reason: string): Compared => ({ ...none, tolerance: null, verdict: 'not run', reason })
    const ran = runs.get(column.run)
    if (!ran) return []
    if ('missing' in ran) return notRun(`"${column.run}" lacks what it needs`)
    if (row.method === undefined) return notRun(`no method stands for "${cell.row}" yet`)
    const own = ourCell(ran.table, { method: row.method, variant: row.variant }, column)
    if (typeof own === 'string') return notRun(own)
    return judged(cell, column, own, ran.incomparable)
  })
}

interface OurCell {
  readonly value: number
  /** Of the mean; null for fewer than two runs. */
  readonly variance: number | null
}

/** Our cell in the paper's unit, or why there is none. */
function ourCell(table: Table, row: Row, column: PaperColumn): OurCell | string {
  const name = row.variant === '' ? row.method : `${row.method} (${row.variant})`
  const isRow = ({ method, variant }: Row): boolean => method === row.method && variant === row.variant
  if (!table.rows.some(isRow)) return `"${column.run}" has no row "${name}"`
  const scale = scales[column.unit]
  if ('tokens' in column) {
    const spent = table.usage.filter((usage) => isRow(usage) && column.phases.includes(usage.phase))
    return { value: scale * spent.reduce((sum, usage) => sum + usage[column.tokens], 0), variance: null }
  }
  const { scorer, metric, subset } = column
  const isCell = (cell: Cell): boolean => cell.scorer === scorer && cell.metric === metric && cell.subset === subset
  const cell = table.cells.find((one) => isRow(one) && isCell(one))
  if (cell?.mean == null) return `${name}: nothing has ${scorer} ${metric}${subset === 'all' ? '' : ` on ${subset}`}`
  return {
    value: scale * cell.mean,
    variance: cell.variance === null ? null : (scale ** 2 * cell.variance) / cell.runs,
  }
}

const scales: Readonly<Record<PaperColumn['unit'], number>> = { percent: 100, fraction: 1, thousands: 1e-3 }

function judged(
  { row, column, value: paper, variance: printed }: PaperCell,
  where: PaperColumn,
  own: OurCell,
  incomparable: string | undefined,
): Compared {
  const error = own.variance === null ? null : Math.sqrt(own.variance)
  const found = { row, column, paper, ours: own.value, error }
  const none = { ...found, tolerance: null, verdict: 'not comparable' } as const
  if (paper === null) return { ...none, difference: null, reason: 'the paper has no number here' }
  const difference = own.value - paper
  if (incomparable !== undefined) return { ...none, difference, reason: incomparable }
  const theirs = printed === undefined || !('runs' in where) ? 0 : printed / where.runs
  const tolerance = own.variance === null ? stated(where, paper) : 2 * Math.sqrt(own.variance + theirs)
  const verdict = Math.abs(difference) <= tolerance ? 'within' : difference > 0 ? 'above' : 'below'
  return { ...found, difference, tolerance, verdict }
}

const stated = ({ tolerance }: PaperColumn, value: number): number =>
  typeof tolerance === 'number' ? tolerance : (Math.abs(value) * Number.parseFloat(tolerance)) / 100
