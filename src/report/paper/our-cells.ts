import { sum } from '../../math/statistics/descriptive.ts'
import type { Manifest, Row } from '../../records.ts'
import { plural, present } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import { isRow } from '../compare/rows-to-compare.ts'
import type { QuestionNumbers, QuestionScores } from '../gather/estimate.ts'
import { gatherScores } from '../gather/scores.ts'
import { gatherTrials, type Journals } from '../gather/trials.ts'
import type { Table } from '../table/table.ts'
import { columnOf, rowOf } from './paper-table.ts'
import type { PaperColumn, PaperTable } from './schema.ts'

/** A run of a paper's table, or what it lacks. `incomparable`: why its cells have no outcome. */
export type RunResult =
  | { readonly table: Table; readonly scores?: ScoresOfRun; readonly incomparable?: string }
  | { readonly missing: readonly string[] }

/** Results by run of the paper. */
export type RunResults = ReadonlyMap<string, RunResult>

/** The scores of a run by row, column and question. */
export type ScoresOfRun = Awaited<ReturnType<typeof scoresOfRun>>

/** Reads the scores of a run. Runs on the same data share `questions`, so that their rows can be paired. */
export async function scoresOfRun(
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  questions: QuestionNumbers,
) {
  const trials = await gatherTrials(manifest, journals.trials())
  const { byQuestion, hasOwnIndexes } = await gatherScores(manifest, journals.scores(), trials, questions)
  const idOf = (row: Row): string => manifest.methods.find((method) => isRow(method, row))?.id ?? ''
  return {
    of(row: Row, { scorer, metric, subset }: Extract<PaperColumn, { scorer: string }>): readonly QuestionScores[] {
      const scorerId = manifest.scorers.find((candidate) => candidate.scorer === scorer)?.id ?? ''
      return byQuestion(idOf(row), scorerId, metric, subset)
    },
    /** Whether each repeat of a row has its own index. */
    hasOwnIndexes: (row: Row): boolean => hasOwnIndexes(idOf(row)),
    questions,
    seed: manifest.seed,
  }
}

/** Our number for a row and column of a paper: a fraction, or tokens. */
export interface OurCell {
  readonly value: number | null
  /** Over questions; null for tokens. */
  readonly error: number | null
  /** Scored items; for tokens, trials. */
  readonly n: number | null
  readonly clusters: number
  readonly failed: number | null
  /** Variance of judge runs, else of repeats; null for fewer than two. */
  readonly spread: number | null
  /** Null for tokens. */
  readonly scores: readonly QuestionScores[] | null
  /** Whether each repeat has its own index. */
  readonly hasOwnIndexes: boolean
  readonly run: ScoresOfRun | undefined
  /** False without a run or a method. */
  readonly isRun: boolean
  /** Why there is no value, or why it is not comparable with the paper's. */
  readonly flaws: readonly string[]
}

/** Undefined where the run of the cell was not requested. */
export function ourCell(paper: PaperTable, runs: RunResults, name: string, columnName: string): OurCell | undefined {
  const [row, column] = [rowOf(paper, name), columnOf(paper, columnName)]
  const run = row.runs[column.run] ?? column.run
  const result = runs.get(run)
  if (!result) return undefined
  if ('missing' in result) return { ...noCell, isRun: false, flaws: [`the run "${run}" lacks something that it needs`] }
  if (row.method === undefined) return { ...noCell, isRun: false, flaws: [`gembench has no method for "${name}" yet`] }
  const { table, scores, incomparable } = result
  const ourRow = { method: row.method, variant: row.variant }
  const label = rowName(ourRow)
  const tableRow = table.rows.find((candidate) => isRow(candidate, ourRow))
  if (!tableRow) return { ...noCell, flaws: [`the run "${run}" has no row "${label}"`] }
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
  const failedScores = score && score.failed > 0 && `${plural(score.failed, 'score')} of ${label} failed: ${scoreLabel}`
  const failure = failedTrials || failedScores
  if (score?.mean == null) return { ...noCell, flaws: [failure || `${label} has no value of ${scoreLabel}`] }
  return {
    value: score.mean,
    error: score.error,
    n: score.n,
    clusters: score.clusters,
    failed: score.failed,
    spread: score.judgeVariance ?? score.repeatVariance,
    scores: scores?.of(ourRow, column) ?? [],
    hasOwnIndexes: scores?.hasOwnIndexes(ourRow) === true,
    run: scores,
    isRun: true,
    flaws: present(incomparable, failure),
  }
}

const noCell: OurCell = {
  value: null,
  error: null,
  n: null,
  clusters: 0,
  failed: null,
  spread: null,
  scores: null,
  hasOwnIndexes: false,
  run: undefined,
  isRun: true,
  flaws: [],
}

/** Factors from fractions and tokens to the paper's unit; a count needs the number of questions. */
export function scaleOf({ unit }: PaperColumn, questions: number): number {
  return { percent: 100, fraction: 1, thousands: 1e-3, number: 1, count: questions }[unit]
}
