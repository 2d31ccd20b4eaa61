import type { Row } from '../../records.ts'
import type { Table } from '../table/table.ts'
import { findRow, findScore, isOf, varianceOfRuns } from './find-score.ts'
import type { PaperCell, PaperColumn, PaperTable } from './paper-table.ts'
/** What became of a run of a paper's table. `incomparable` says why its cells have no verdict. */
export type Ran = { readonly table: Table; readonly incomparable?: string } | { readonly missing: readonly string[] }

/** `within` the tolerance, `above` or `below` the paper; `not comparable` where data or models are others or something failed, `not run` where there is no cell of ours. */
export type Verdict = 'within' | 'above' | 'below' | 'not comparable' | 'not run'

/**
 * Our cell beside the paper's, in the paper's unit. `error` is our standard error over questions; `n` counts the items of a run that were
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
  /** Ours minus the paper's; null without a verdict. */
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
    const name = row.runs[column.run] ?? column.run
    const ran = runs.get(name)
    if (!ran) return []
    if ('missing' in ran) return notRun(`the run "${name}" lacks something that it needs`)
    if (row.method === undefined) return notRun(`gembench has no method for "${cell.row}" yet`)
    const own = ourCell(ran.table, { method: row.method, variant: row.variant }, { ...column, run: name })
    if (typeof own === 'string') return notRun(own)
    return judged(cell, column, own, paper.runs[name]?.questions, ran.incomparable)
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
  const found = findRow(table, column.run, row)
  if (typeof found === 'string') return found
  if ('tokens' in column) {
    const spent = table.usage.filter((usage) => isOf(usage, row) && column.phases.includes(usage.phase))
    const value = scales[column.unit] * spent.reduce((sum, usage) => sum + usage[column.tokens], 0)
    return { value, error: null, n: found.row.trials, failed: found.row.failed, failure: found.failure }
  }
  const score = findScore(table, found, column)
  if (typeof score === 'string') return score
  const { mean, error, n, failed } = score.cell
  const scale = column.unit === 'count' ? n : scales[column.unit]
  return { value: scale * mean, error: error === null ? null : scale * error, n, failed, failure: score.failure }
}

const scales: Readonly<Record<PaperColumn['unit'], number>> = {
  percent: 100,
  fraction: 1,
  thousands: 1e-3,
  number: 1,
  count: 1,
}

function judged(
  cell: PaperCell,
  where: PaperColumn,
  { value: ours, failure, ...own }: OurCell,
  questions: number | undefined,
  incomparable: string | undefined,
): Compared {
  const { row, column, value: paper } = cell
  const found = { row, column, paper, ours, ...own }
  const reasons = [incomparable, failure, paper === null ? 'the paper gives no number for this cell' : undefined]
  const reason = reasons.filter((one) => one !== undefined).join('; ')
  if (paper === null || reason !== '')
    return { ...found, difference: null, tolerance: null, verdict: 'not comparable', reason }
  const difference = ours - paper
  const tolerance =
    own.error === null ? stated(where, paper) : 2 * errorOfDifference(where, own, varianceOfRuns(cell), questions)
  const verdict = Math.abs(difference) <= tolerance ? 'within' : difference > 0 ? 'above' : 'below'
  return { ...found, difference, tolerance, verdict }
}

/**
 * Standard error of our value minus the paper's. Both are means over questions: the paper's error is taken to be ours, scaled to its number of
 * questions where that is stated; the variance over its runs, where it is known, is added as their noise.
 */
function errorOfDifference(
  where: PaperColumn,
  { error, n }: Pick<OurCell, 'error' | 'n'>,
  printed: number | undefined,
  questions: number | undefined,
): number {
  const ours = (error ?? 0) ** 2
  // the number that the paper asked counts all questions: of a subset both have as many
  const counted = 'subset' in where && where.subset === 'all' ? questions : undefined
  const theirs = ours * ((n ?? 1) / (counted ?? n ?? 1))
  const runs = printed === undefined || !('runs' in where) ? 0 : printed / where.runs
  return Math.sqrt(ours + theirs + runs)
}

const stated = ({ tolerance }: PaperColumn, value: number): number =>
  typeof tolerance === 'number' ? tolerance : (Math.abs(value) * Number.parseFloat(tolerance)) / 100
