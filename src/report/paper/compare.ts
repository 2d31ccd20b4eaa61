import type { Row } from '../../records.ts'
import type { Cell, Table } from '../table.ts'
import type { PaperCell, PaperColumn, PaperTable } from './paper-table.ts'

/** What became of a run of a paper's table. `incomparable` says why its cells have no verdict. */
export type Ran = { readonly table: Table; readonly incomparable?: string } | { readonly missing: readonly string[] }

/** `within` the tolerance, `above` or `below` the paper; `not comparable` where data or models are others or something failed, `not run` where there is no cell of ours. */
export type Verdict = 'within' | 'above' | 'below' | 'not comparable' | 'not run'

/**
 * Our cell beside the paper's, in the paper's unit. `error` is our standard error over runs; `n` counts the items of a run that were
 * scored, `failed` the scores that failed, those of failed trials among them; for tokens both count trials.
 */
export interface Compared {
  readonly row: string
  readonly column: string
  readonly paper: number | null
  readonly ours: number | null
  readonly error: number | null
  readonly n: number | null
  readonly failed: number | null
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
    const none = { row: cell.row, column: cell.column, paper: cell.value, ours: null, ...noneOfOurs }
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

const noneOfOurs = { error: null, n: null, failed: null, difference: null } as const

interface OurCell extends Pick<Compared, 'error' | 'n' | 'failed'> {
  readonly value: number
  /** What of it failed. */
  readonly failure: string | undefined
}

/** Our cell in the paper's unit, or why there is none. */
function ourCell(table: Table, row: Row, column: PaperColumn): OurCell | string {
  const name = row.variant === '' ? row.method : `${row.method} (${row.variant})`
  const isRow = ({ method, variant }: Row): boolean => method === row.method && variant === row.variant
  const facts = table.rows.find(isRow)
  if (!facts) return `"${column.run}" has no row "${name}"`
  const { trials: n, failed } = facts
  const lost = failed > 0 ? `${failed} of ${n} trials of ${name} failed` : undefined
  const scale = scales[column.unit]
  if ('tokens' in column) {
    const spent = table.usage.filter((usage) => isRow(usage) && column.phases.includes(usage.phase))
    const value = scale * spent.reduce((sum, usage) => sum + usage[column.tokens], 0)
    return { value, error: null, n, failed, failure: lost }
  }
  const { scorer, metric, subset } = column
  const isCell = (cell: Cell): boolean => cell.scorer === scorer && cell.metric === metric && cell.subset === subset
  const cell = table.cells.find((one) => isRow(one) && isCell(one))
  const what = `${scorer} ${metric}${subset === 'all' ? '' : ` on ${subset}`}`
  const failure = lost ?? (cell && cell.failed > 0 ? `${cell.failed} scores of ${name} failed: ${what}` : undefined)
  if (cell?.mean == null) return failure ?? `${name}: nothing has ${what}`
  const error = cell.standardError === null ? null : scale * cell.standardError
  return { value: scale * cell.mean, error, n: cell.n, failed: cell.failed, failure }
}

const scales: Readonly<Record<PaperColumn['unit'], number>> = { percent: 100, fraction: 1, thousands: 1e-3 }

function judged(
  { row, column, value: paper, variance: printed }: PaperCell,
  where: PaperColumn,
  { value: ours, failure, ...own }: OurCell,
  incomparable: string | undefined,
): Compared {
  const found = { row, column, paper, ours, ...own }
  const difference = paper === null ? null : ours - paper
  const reasons = [incomparable, failure, paper === null ? 'the paper has no number here' : undefined]
  const reason = reasons.filter((one) => one !== undefined).join('; ')
  if (paper === null || difference === null || reason !== '')
    return { ...found, difference, tolerance: null, verdict: 'not comparable', reason }
  const theirs = printed === undefined || !('runs' in where) ? 0 : printed / where.runs
  const tolerance = own.error === null ? stated(where, paper) : 2 * Math.sqrt(own.error ** 2 + theirs)
  const verdict = Math.abs(difference) <= tolerance ? 'within' : difference > 0 ? 'above' : 'below'
  return { ...found, difference, tolerance, verdict }
}

const stated = ({ tolerance }: PaperColumn, value: number): number =>
  typeof tolerance === 'number' ? tolerance : (Math.abs(value) * Number.parseFloat(tolerance)) / 100
