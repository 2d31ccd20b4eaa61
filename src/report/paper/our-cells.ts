import { valueOf } from '../../basics/collections.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import type { Manifest, Row } from '../../records.ts'
import { plural, present } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import { isRow } from '../compare/rows-to-compare.ts'
import type { Cell } from '../gather/estimate.ts'
import type { ScoredRow, ScoredSide } from '../gather/observations.ts'
import type { Scores } from '../gather/scores.ts'
import type { Table } from '../table/table.ts'
import { columnOf, rowOf, runOf } from './paper-table.ts'
import type { PaperColumn, PaperTable } from './schema.ts'

/** A run of a paper's table, or what it lacks. `incomparable`: why its cells have no outcome. */
export type RunResult =
  | { readonly table: Table; readonly runScores?: ScoredRun; readonly incomparable?: string }
  | { readonly missing: readonly string[] }

/** Runs on the same data share the numbers of their questions, so that their rows can be paired. */
interface ScoredRun {
  readonly manifest: Manifest
  readonly scores: Scores
}

/** Results by run of the paper. */
export type RunResults = ReadonlyMap<string, RunResult>

/** Our number for a row and column of a paper. */
export interface OurCell {
  /** A fraction, or tokens. */
  readonly value: number | null
  /** Scored items; for tokens, trials. */
  readonly n: number | null
  readonly failed: number | null
  /** The cell of the table, and its scores by question with their run; absent for tokens. */
  readonly cell?: Cell
  readonly side?: ScoredSide
  readonly run?: ScoredRun
  /** False without a run or a method. */
  readonly isRun: boolean
  /** Why there is no value, or why it is not comparable with the paper's. */
  readonly flaws: readonly string[]
}

export function ourCell(paper: PaperTable, runs: RunResults, name: string, columnName: string): OurCell {
  const row = rowOf(paper, name)
  const column = columnOf(paper, columnName)
  const run = runOf(paper, name, columnName)
  const result = valueOf(runs, run)
  const without = (flaw: string, isRun = true): OurCell => ({ ...noCell, isRun, flaws: [flaw] })
  if ('missing' in result) return without(`the run "${run}" lacks something that it needs`, false)
  if (row.method === undefined) return without(`gembench has no method for "${name}" yet`, false)
  const { table, runScores, incomparable } = result
  const ourRow = { method: row.method, variant: row.variant }
  const label = rowName(ourRow)
  const tableRow = table.rows.find((candidate) => isRow(candidate, ourRow))
  if (!tableRow) return without(`the run "${run}" has no row "${label}"`)
  const { trials, failed } = tableRow
  const failedTrials = failed > 0 && `${failed} of ${plural(trials, 'trial')} of ${label} failed`
  if ('tokens' in column) {
    const cells = table.usage.filter((cell) => isRow(cell, ourRow) && column.phases.includes(cell.phase))
    const value = sum(cells.map((cell) => cell[column.tokens]))
    return { ...noCell, value, n: trials, failed, flaws: present(incomparable, failedTrials) }
  }
  const { scorer, metric, subset } = column
  const score = table.cells.find(
    (cell) => isRow(cell, ourRow) && cell.scorer === scorer && cell.metric === metric && cell.subset === subset,
  )
  const scoreLabel = `${scorer}.${metric}${subset === 'all' ? '' : ` on ${subset}`}`
  const hasFailures = score !== undefined && score.failed > 0
  const failedScores = hasFailures && `${plural(score.failed, 'score')} of ${label} failed: ${scoreLabel}`
  const failure = failedTrials || failedScores
  if (score?.mean == null) return without(failure || `${label} has no value of ${scoreLabel}`)
  return {
    value: score.mean,
    n: score.n,
    failed: score.failed,
    cell: score,
    ...(runScores && { side: sideOf(runScores, ourRow, column), run: runScores }),
    isRun: true,
    flaws: present(incomparable, failure),
  }
}

/** The scores of a row in a column; none where the run lacks them. */
export function sideOf(
  { manifest, scores }: ScoredRun,
  row: Row,
  { scorer, metric, subset }: Extract<PaperColumn, { scorer: string }>,
): ScoredRow {
  const methodId = manifest.methods.find((method) => isRow(method, row))?.id ?? ''
  const scorerId = manifest.scorers.find((candidate) => candidate.scorer === scorer)?.id ?? ''
  return scores.of(methodId, scorerId, metric, subset)
}

export const noCell = { value: null, n: null, failed: null, isRun: true } as const

/** Factors from fractions and tokens to the paper's unit; a count needs the number of questions. */
export function scaleOf({ unit }: PaperColumn, questions: number): number {
  return { percent: 100, fraction: 1, thousands: 1e-3, number: 1, count: questions }[unit]
}
