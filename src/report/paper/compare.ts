import { cr2Mean } from '../../math/statistics/cr2.ts'
import { variance } from '../../math/statistics/descriptive.ts'
import type { Row } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { plural } from '../../text/amounts.ts'
import type { Cell, QuestionNumbers, QuestionScores } from '../table/estimate.ts'
import type { Table, TableRow } from '../table/table.ts'
import { columnOf, marginOf, rowOf, type PaperCell, type PaperColumn, type PaperTable } from './paper-table.ts'
import { nearness, comparePublished, type PublishedVerdict } from './published-verdict.ts'
import { isRow } from '../compare/rows-to-compare.ts'

/** The scores of a row in a column, by question. */
export interface ScoresOfRun {
  readonly of: (row: Row, column: Extract<PaperColumn, { scorer: string }>) => readonly QuestionScores[]
  /** Whether the repeats of a row have indexes of their own. */
  readonly hasOwnIndexes: (row: Row) => boolean
  readonly questions: QuestionNumbers
  readonly seed: number
}

/** What became of a run of a paper's table. `incomparable` says why its cells have no verdict. */
export type RunResult =
  | { readonly table: Table; readonly scores?: ScoresOfRun; readonly incomparable?: string }
  | { readonly missing: readonly string[] }

/** `not comparable`: data differ or something failed; `not run`: there is no cell of ours. */
type Verdict = PublishedVerdict['verdict'] | 'within' | 'above' | 'below' | 'not comparable' | 'not run'

/**
 * Our cell in the paper's unit; `error` over questions. `n` counts items scored, of tokens trials; `failed` likewise.
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
  /** Where it cannot be told: the questions with which equal values would be; null where no number would tell. */
  readonly needed?: number | null
  /** Other rows that the paper prints in this column and that our value is as near to: their verdict is no worse. */
  readonly asNear?: readonly string[]
  /** Of tokens that questions take: how many a question, the paper's and ours; null where not known. */
  readonly perQuestion?: { readonly paper: number | null; readonly ours: number | null }
  /** The variance of run means, in the paper's unit squared, where either is known. */
  readonly variance?: { readonly paper: number | null; readonly ours: number | null }
  /** Why there is no verdict. */
  readonly reason?: string
}

/** The cells of a paper's table whose runs were asked for, with ours, in the order of the paper. */
export function compare(paper: PaperTable, runs: ReadonlyMap<string, RunResult>): readonly Compared[] {
  return paper.cells.flatMap((cell) => {
    const [column, row] = [columnOf(paper, cell.column), rowOf(paper, cell.row)]
    const empty = { row: cell.row, column: cell.column, paper: cell.value, ours: null, ...emptyCell }
    const notRun = (reason: string): Compared => ({ ...empty, tolerance: null, verdict: 'not run', reason })
    const name = row.runs[column.run] ?? column.run
    const result = runs.get(name)
    if (!result) return []
    if ('missing' in result) return notRun(`the run "${name}" lacks something that it needs`)
    if (row.method === undefined) return notRun(`gembench has no method for "${cell.row}" yet`)
    const cellOfOurs = ourCell(result, { method: row.method, variant: row.variant }, { ...column, run: name })
    if (typeof cellOfOurs === 'string') return notRun(cellOfOurs)
    const questions = paper.runs[name]?.questions
    return {
      ...judgeCell(paper, cell, cellOfOurs, questions, result.incomparable),
      ...perQuestion(cell, column, cellOfOurs, questions),
      ...variancesOf(cell, cellOfOurs),
    }
  })
}

const emptyCell = { error: null, n: null, failed: null, difference: null } as const

interface OurCell extends Pick<Compared, 'error' | 'n' | 'failed'> {
  readonly value: number
  /** What of it failed. */
  readonly failure: string | undefined
  /** Of the means of judge runs, else of repeats; in the paper's unit squared, null for fewer than two. */
  readonly variance: number | null
  /** The degrees of freedom of the error (CR2). */
  readonly degrees: number
}

function variancesOf(cell: PaperCell, { variance: ours }: OurCell): Pick<Compared, 'variance'> {
  const printedVariance = varianceOfRuns(cell) ?? null
  return printedVariance === null ? {} : { variance: { paper: printedVariance, ours } }
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

/** The tokens that a row spent in the phases of a column. */
export const tokensOf = (
  { usage }: Pick<Table, 'usage'>,
  row: Row,
  { phases, tokens }: Extract<PaperColumn, { tokens: string }>,
): number =>
  usage.filter((cell) => isRow(cell, row) && phases.includes(cell.phase)).reduce((sum, cell) => sum + cell[tokens], 0)

/** Tokens a question, where a column counts those of questions and not those of indexes. */
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

/** In a line each, rows whose questions take less than half of the paper's tokens, or more than half as many again. */
export const tokenNotes = (cells: readonly Compared[]): readonly string[] =>
  cells.flatMap(({ row, column, perQuestion: { paper, ours } = { paper: null, ours: null } }) =>
    paper === null || ours === null || Math.abs(ours - paper) <= paper / 2
      ? []
      : [`${row} takes ${ours} tokens a question (${column}), and ${paper} in the paper: more than half apart.`],
  )

/** How many of the paper's units one of ours is: fractions and tokens. */
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
  { value: ours, failure, variance: _, degrees, ...fields }: OurCell,
  questions: number | undefined,
  incomparable: string | undefined,
): Compared {
  const { row, column, value: paper } = cell
  const where = columnOf(table, column)
  const cellFields = { row, column, paper, ours, ...fields }
  const reasons = [incomparable, failure, paper === null ? 'the paper gives no number for this cell' : undefined]
  const reason = reasons.filter((text) => text !== undefined).join('; ')
  if (paper === null || reason !== '')
    return { ...cellFields, difference: null, tolerance: null, verdict: 'not comparable', reason }
  const margin = (value: number): number => marginOf(table, column, undefined, value)
  const [difference, tolerance] = [ours - paper, margin(paper)]
  if ('tokens' in where || rowOf(table, row).recorded) {
    const outcome = Math.abs(difference) <= tolerance ? 'within' : difference > 0 ? 'above' : 'below'
    return { ...cellFields, difference, tolerance, verdict: outcome }
  }
  if (fields.error === null) return { ...cellFields, difference, tolerance, verdict: 'cannot tell', needed: null }
  const [variance, n] = [fields.error ** 2, fields.n ?? 1]
  const against = (value: number, paperCell: PaperCell): PublishedVerdict =>
    comparePublished({
      difference: ours - value,
      ours: variance,
      degrees,
      n,
      margin: margin(value),
      theirs: varianceOfPaper(where, { variance, n }, varianceOfRuns(paperCell), questions),
    })
  const result = against(paper, cell)
  const asNear = table.cells.flatMap((candidate) => {
    if (candidate.column !== column || candidate.row === row || candidate.value === null) return []
    const candidateNearness = nearness(against(candidate.value, candidate))
    return candidateNearness > 0 && candidateNearness >= nearness(result) ? [candidate.row] : []
  })
  return { ...cellFields, difference, tolerance, ...result, asNear }
}

/**
 * Of a published mean: ours, scaled to its number of questions, and the noise of its runs, as far as these are known.
 */
function varianceOfPaper(
  where: Extract<PaperColumn, { scorer: string }>,
  { variance: ours, n }: { readonly variance: number; readonly n: number },
  runVariance: number | undefined,
  questions: number | undefined,
): number {
  // the number that the paper asked counts all questions: of a subset both have as many
  const paperQuestions = where.subset === 'all' ? questions : undefined
  return ours * (n / (paperQuestions ?? n)) + (runVariance === undefined ? 0 : runVariance / where.runs)
}

interface FoundRow {
  readonly row: TableRow
  /** Its label and variant. */
  readonly name: string
  readonly failure: string | undefined
}

type ScoreName = Readonly<Record<'scorer' | 'metric' | 'subset', string>>

/** A row of the table of the run so named, or why there is none. */
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

/** A score of a row and what of it failed, those of failed trials first; or why there is none. */
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

/** The variance of the runs of a cell: as printed, else of its single runs; undefined where neither is printed. */
export const varianceOfRuns = ({ variance: printedVariance, perRun }: PaperCell): number | undefined =>
  printedVariance ?? (perRun && variance(perRun))
