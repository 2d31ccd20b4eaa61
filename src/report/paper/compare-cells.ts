import { cr2Mean } from '../../math/statistics/cr2.ts'
import { variance } from '../../math/statistics/descriptive.ts'
import type { Row } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { plural } from '../../text/amounts.ts'
import type { Cell, QuestionNumbers, QuestionScores } from '../gather/estimate.ts'
import type { Table, TableRow } from '../table/table.ts'
import { columnOf, marginOf, rowOf, type PaperCell, type PaperColumn, type PaperTable } from './paper-table.ts'
import { nearness, compareWithPaper, type PublishedOutcome } from './compare-published.ts'
import { isRow } from '../compare/rows-to-compare.ts'

/** The scores of a run by row, column and question. */
export interface ScoresOfRun {
  readonly of: (row: Row, column: Extract<PaperColumn, { scorer: string }>) => readonly QuestionScores[]
  /** Whether each repeat of a row has its own index. */
  readonly hasOwnIndexes: (row: Row) => boolean
  readonly questions: QuestionNumbers
  readonly seed: number
}

/** A run of a paper's table, or what it lacks. `incomparable`: why its cells have no outcome. */
export type RunResult =
  | { readonly table: Table; readonly scores?: ScoresOfRun; readonly incomparable?: string }
  | { readonly missing: readonly string[] }

/** `not comparable`: other data, or failures; `not run`: we have no cell. */
type Outcome = PublishedOutcome['outcome'] | 'within' | 'above' | 'below' | 'not comparable' | 'not run'

/** A cell in the paper's unit; `error` over questions. `n` counts scored items or, for tokens, trials. */
export interface Compared {
  readonly row: string
  readonly column: string
  readonly paper: number | null
  readonly ours: number | null
  readonly error: number | null
  readonly n: number | null
  readonly failed: number | null
  /** Ours minus the paper's; null without a outcome. */
  readonly difference: number | null
  readonly tolerance: number | null
  readonly outcome: Outcome
  /** For `not determined`: questions that would show equal values; null where no number suffices. */
  readonly needed?: number | null
  /** Other rows of the column with no worse outcome for our value. */
  readonly asNear?: readonly string[]
  /** Tokens a question; null where unknown. */
  readonly perQuestion?: { readonly paper: number | null; readonly ours: number | null }
  /** Variance of run means, in the paper's unit squared. */
  readonly variance?: { readonly paper: number | null; readonly ours: number | null }
  /** Why there is no outcome. */
  readonly reason?: string
  /** Whether the paper's number is from somebody else's digest. */
  readonly isSecondHand?: true
}

/** The paper's cells of the requested runs, each with ours. */
export function compare(paper: PaperTable, runs: ReadonlyMap<string, RunResult>): readonly Compared[] {
  return paper.cells.flatMap((cell) => {
    const [column, row] = [columnOf(paper, cell.column), rowOf(paper, cell.row)]
    const mark = cell.secondHand !== undefined && ({ isSecondHand: true } as const)
    const empty = { row: cell.row, column: cell.column, paper: cell.value, ours: null, ...emptyCell, ...mark }
    const notRun = (reason: string): Compared => ({ ...empty, tolerance: null, outcome: 'not run', reason })
    const name = row.runs[column.run] ?? column.run
    const result = runs.get(name)
    if (!result) return []
    if ('missing' in result) return notRun(`the run "${name}" lacks something that it needs`)
    if (row.method === undefined) return notRun(`gembench has no method for "${cell.row}" yet`)
    const ourResult = ourCell(result, { method: row.method, variant: row.variant }, { ...column, run: name })
    if (typeof ourResult === 'string') return notRun(ourResult)
    const questions = paper.runs[name]?.questions
    return {
      ...judgeCell(paper, cell, ourResult, questions, result.incomparable),
      ...perQuestion(cell, column, ourResult, questions),
      ...variancesOf(cell, ourResult),
      ...mark,
    }
  })
}

const emptyCell = { error: null, n: null, failed: null, difference: null } as const

interface OurCell extends Pick<Compared, 'error' | 'n' | 'failed'> {
  readonly value: number
  /** What failed. */
  readonly failure: string | undefined
  /** Variance of judge runs, else of repeats, in the paper's unit squared; null for fewer than two. */
  readonly variance: number | null
  /** Degrees of freedom of the error (CR2). */
  readonly degrees: number
}

function variancesOf(cell: PaperCell, { variance: ourVariance }: OurCell): Pick<Compared, 'variance'> {
  const printedVariance = varianceOfRuns(cell) ?? null
  return printedVariance === null ? {} : { variance: { paper: printedVariance, ours: ourVariance } }
}

function ourCell(
  { table, scores }: Extract<RunResult, { table: Table }>,
  row: Row,
  column: PaperColumn,
): OurCell | string {
  const rowMatch = findRow(table, column.run, row)
  if (typeof rowMatch === 'string') return rowMatch
  if ('tokens' in column) {
    const { trials: n, failed } = rowMatch.row
    const tokenFields = { error: null, variance: null, degrees: NaN, failure: rowMatch.failure }
    return { value: scales[column.unit] * tokensOf(table, row, column), n, failed, ...tokenFields }
  }
  const score = findScore(table, rowMatch, column)
  if (typeof score === 'string') return score
  const { mean, error, n, failed, clusters, judgeVariance, repeatVariance } = score.cell
  const byQuestion = scores?.of(row, column) ?? []
  const names = byQuestion.map(({ question }) => scores?.questions.clusterOf(question) ?? question)
  const means = byQuestion.map((question) => question.mean)
  const { degrees } = names.length > 0 ? cr2Mean(means, names) : { degrees: clusters - 1 }
  const scale = column.unit === 'count' ? n : scales[column.unit]
  const spread = judgeVariance ?? repeatVariance
  return {
    value: scale * mean,
    error: error === null ? null : scale * error,
    n,
    failed,
    failure: score.failure,
    variance: spread === null ? null : scale ** 2 * spread,
    degrees,
  }
}

export const tokensOf = (
  { usage }: Pick<Table, 'usage'>,
  row: Row,
  { phases, tokens }: Extract<PaperColumn, { tokens: string }>,
): number =>
  usage.filter((cell) => isRow(cell, row) && phases.includes(cell.phase)).reduce((sum, cell) => sum + cell[tokens], 0)

/** For columns that count tokens of questions, not of indexes. */
function perQuestion(
  { value }: PaperCell,
  column: PaperColumn,
  { value: ourTokens, n }: OurCell,
  questions: number | undefined,
): Pick<Compared, 'perQuestion'> {
  if (!('tokens' in column) || column.phases.includes('index')) return {}
  const tokens = (count: number, of: number): number => Math.round(count / scales[column.unit] / of)
  return {
    perQuestion: {
      paper: value === null || questions === undefined ? null : tokens(value, questions),
      ours: n === null || n === 0 ? null : tokens(ourTokens, n),
    },
  }
}

/** Rows whose tokens a question differ from the paper's by more than half, one line each. */
export const tokenNotes = (cells: readonly Compared[]): readonly string[] =>
  cells.flatMap(({ row, column, perQuestion: { paper, ours } = { paper: null, ours: null } }) =>
    paper === null || ours === null || Math.abs(ours - paper) <= paper / 2
      ? []
      : [`${row} takes ${ours} tokens a question (${column}), and ${paper} in the paper: more than half apart.`],
  )

/** Factors from fractions and tokens to the paper's unit. */
export const scales: Readonly<Record<PaperColumn['unit'], number>> = {
  percent: 100,
  fraction: 1,
  thousands: 1e-3,
  number: 1,
  count: 1,
}

function judgeCell(
  table: PaperTable,
  cell: PaperCell,
  { value: ourValue, failure, variance: _, degrees, ...fields }: OurCell,
  questions: number | undefined,
  incomparable: string | undefined,
): Compared {
  const { row, column, value: paper, secondHand } = cell
  const where = columnOf(table, column)
  const cellFields = { row, column, paper, ours: ourValue, ...fields }
  const reasons = [
    incomparable,
    failure,
    paper === null ? 'the paper gives no number for this cell' : undefined,
    secondHand && `the paper's number is second-hand: ${secondHand}`,
  ]
  const reason = reasons.filter((text) => text !== undefined).join('; ')
  if (paper === null || reason !== '')
    return { ...cellFields, difference: null, tolerance: null, outcome: 'not comparable', reason }
  const margin = (value: number): number => marginOf(table, column, undefined, value)
  const [difference, tolerance] = [ourValue - paper, margin(paper)]
  if ('tokens' in where || rowOf(table, row).recorded) {
    const outcome = Math.abs(difference) <= tolerance ? 'within' : difference > 0 ? 'above' : 'below'
    return { ...cellFields, difference, tolerance, outcome }
  }
  if (fields.error === null) return { ...cellFields, difference, tolerance, outcome: 'not determined', needed: null }
  const [variance, n] = [fields.error ** 2, fields.n ?? 1]
  const against = (value: number, paperCell: PaperCell): PublishedOutcome =>
    compareWithPaper({
      difference: ourValue - value,
      ourVariance: variance,
      degrees,
      n,
      margin: margin(value),
      publishedVariance: varianceOfPaper(where, { variance, n }, varianceOfRuns(paperCell), questions),
    })
  const result = against(paper, cell)
  const asNear = table.cells.flatMap((candidate) => {
    if (candidate.column !== column || candidate.row === row || candidate.value === null || candidate.secondHand)
      return []
    const candidateNearness = nearness(against(candidate.value, candidate))
    return candidateNearness > 0 && candidateNearness >= nearness(result) ? [candidate.row] : []
  })
  return { ...cellFields, difference, tolerance, ...result, asNear }
}

/** Estimates the variance of a published mean: ours, scaled to its number of questions, plus the noise of its runs. */
function varianceOfPaper(
  where: Extract<PaperColumn, { scorer: string }>,
  { variance: ourVariance, n }: { readonly variance: number; readonly n: number },
  runVariance: number | undefined,
  questions: number | undefined,
): number {
  // the paper's number of questions does not apply to a subset
  const paperQuestions = where.subset === 'all' ? questions : undefined
  return ourVariance * (n / (paperQuestions ?? n)) + (runVariance === undefined ? 0 : runVariance / where.runs)
}

interface FoundRow {
  readonly row: TableRow
  /** Label and variant. */
  readonly name: string
  readonly failure: string | undefined
}

type ScoreName = Readonly<Record<'scorer' | 'metric' | 'subset', string>>

/** The row of a run, or why it is missing. */
export function findRow(table: Table, run: string, row: Row): FoundRow | string {
  const name = rowName(row)
  const tableRow = table.rows.find((candidate) => isRow(candidate, row))
  if (!tableRow) return `the run "${run}" has no row "${name}"`
  const { trials, failed } = tableRow
  return {
    row: tableRow,
    name,
    failure: failed > 0 ? `${failed} of ${plural(trials, 'trial')} of ${name} failed` : undefined,
  }
}

/** A score with its failures (trials first), or why it is missing. */
export function findScore(
  { cells }: Table,
  { row, name, failure: rowFailure }: FoundRow,
  { scorer, metric, subset }: ScoreName,
): { readonly cell: Cell & { readonly mean: number }; readonly failure: string | undefined } | string {
  const cell = cells.find(
    (candidate) =>
      isRow(candidate, row) &&
      candidate.scorer === scorer &&
      candidate.metric === metric &&
      candidate.subset === subset,
  )
  const label = `${scorer}.${metric}${subset === 'all' ? '' : ` on ${subset}`}`
  const failure =
    rowFailure ?? (cell && cell.failed > 0 ? `${plural(cell.failed, 'score')} of ${name} failed: ${label}` : undefined)
  if (cell?.mean == null) return failure ?? `${name} has no value of ${label}`
  return { cell: { ...cell, mean: cell.mean }, failure }
}

/** As printed, else from the printed single runs; undefined without either. */
export const varianceOfRuns = ({ variance: printedVariance, perRun }: PaperCell): number | undefined =>
  printedVariance ?? (perRun && variance(perRun))
