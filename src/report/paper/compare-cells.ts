import { cr2Mean } from '../../math/statistics/cr2.ts'
import { variance } from '../../math/statistics/descriptive.ts'
import { present } from '../../text/amounts.ts'
import { compareWithPaper, nearness, type PublishedOutcome } from './compare-published.ts'
import { ourCell, scaleOf, type OurCell, type RunResults } from './our-cells.ts'
import { columnOf, marginOf, rowOf } from './paper-table.ts'
import type { PaperCell, PaperTable } from './schema.ts'

/** A cell in the paper's unit; `error` over questions. `n` counts scored items or, for tokens, trials. */
export interface Compared {
  readonly row: string
  readonly column: string
  readonly paper: number | null
  readonly ours: number | null
  readonly error: number | null
  readonly n: number | null
  readonly failed: number | null
  /** Ours minus the paper's, and what counts as none; null without an outcome. */
  readonly difference: number | null
  readonly tolerance: number | null
  /** `not comparable`: other data, or failures; `not run`: we have no cell. */
  readonly outcome: PublishedOutcome['outcome'] | 'within' | 'above' | 'below' | 'not comparable' | 'not run'
  /** For `not determined`: questions that would show equal values; null where no number suffices. */
  readonly needed?: number | null
  /** Other rows of the column with no worse outcome for our value. */
  readonly asNear?: readonly string[]
  /** Variance of run means, in the paper's unit squared. */
  readonly variance?: { readonly paper: number; readonly ours: number | null }
  /** Why there is no outcome. */
  readonly reason?: string
  /** Whether the paper's number is from somebody else's digest. */
  readonly isSecondHand?: true
}

/** The paper's cells of the requested runs, each with ours. */
export const compare = (paper: PaperTable, runs: RunResults): readonly Compared[] =>
  paper.cells.flatMap((cell) => {
    const match = ourCell(paper, runs, cell.row, cell.column)
    return match ? [compareCell(paper, cell, match)] : []
  })

function compareCell(paper: PaperTable, cell: PaperCell, match: OurCell): Compared {
  const { row, column: name, value: paperValue, secondHand } = cell
  const column = columnOf(paper, name)
  const scale = scaleOf(column, match.n ?? 1)
  const printedVariance = varianceOfRuns(cell)
  const spread = match.cell?.judgeVariance ?? match.cell?.repeatVariance
  const summary = {
    row,
    column: name,
    paper: paperValue,
    ours: match.value === null ? null : scale * match.value,
    error: match.cell?.error == null ? null : scale * match.cell.error,
    n: match.n,
    failed: match.failed,
    ...(printedVariance !== undefined && {
      variance: { paper: printedVariance, ours: spread == null ? null : scale ** 2 * spread },
    }),
    ...(secondHand !== undefined && ({ isSecondHand: true } as const)),
  }
  const { ours: value, error } = summary
  if (value === null)
    return { ...summary, difference: null, tolerance: null, outcome: 'not run', reason: match.flaws.join('; ') }
  const reasons = present(
    match.flaws,
    paperValue === null && 'the paper gives no number for this cell',
    secondHand !== undefined && `the paper's number is second-hand: ${secondHand}`,
  )
  if (paperValue === null || reasons.length > 0)
    return { ...summary, difference: null, tolerance: null, outcome: 'not comparable', reason: reasons.join('; ') }
  const difference = value - paperValue
  const tolerance = marginOf(column.tolerance, paperValue)
  const comparison = { ...summary, difference, tolerance }
  if ('tokens' in column || rowOf(paper, row).recorded)
    return { ...comparison, outcome: Math.abs(difference) <= tolerance ? 'within' : difference > 0 ? 'above' : 'below' }
  if (error === null) return { ...comparison, outcome: 'not determined', needed: null }
  const n = match.n ?? 1
  // the paper's number of questions does not apply to a subset
  const questions = (column.subset === 'all' ? questionsOf(paper, cell) : undefined) ?? n
  const outcomeFor = (printedCell: PaperCell, number: number): PublishedOutcome =>
    compareWithPaper({
      difference: value - number,
      ourVariance: error ** 2,
      degrees: degreesOf(match),
      n,
      margin: marginOf(column.tolerance, number),
      // ours, scaled to the paper's questions, plus the noise of its runs
      publishedVariance: error ** 2 * (n / questions) + (varianceOfRuns(printedCell) ?? 0) / column.runs,
    })
  const result = outcomeFor(cell, paperValue)
  const asNear = paper.cells.flatMap((candidate) => {
    if (candidate.column !== name || candidate.row === row || candidate.value === null || candidate.secondHand)
      return []
    const candidateNearness = nearness(outcomeFor(candidate, candidate.value))
    return candidateNearness > 0 && candidateNearness >= nearness(result) ? [candidate.row] : []
  })
  return { ...comparison, ...result, asNear }
}

function questionsOf(paper: PaperTable, { row, column }: PaperCell): number | undefined {
  const { run } = columnOf(paper, column)
  return paper.runs[rowOf(paper, row).runs[run] ?? run]?.questions
}

/** Degrees of freedom of the error (CR2). */
function degreesOf({ side, run, cell }: OurCell): number {
  if (!side || !run) return (cell?.clusters ?? 0) - 1
  const { scores } = side
  return cr2Mean([...scores.values()], Array.from(scores.keys(), run.questions.clusterOf)).degrees
}

/** As printed, else from the printed single runs; undefined without either. */
const varianceOfRuns = ({ variance: printedVariance, perRun }: PaperCell): number | undefined =>
  printedVariance ?? (perRun && variance(perRun))
