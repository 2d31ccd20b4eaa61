import { holm } from '../../math/statistics/corrections.ts'
import { around, cr2Mean, fewestDegrees, tost } from '../../math/statistics/cr2.ts'
import { variance } from '../../math/statistics/descriptive.ts'
import { normalCritical } from '../../math/statistics/distributions.ts'
import { mannWhitney } from '../../math/statistics/rank-tests.ts'
import { present } from '../../text/amounts.ts'
import { alpha, usualPower } from '../compare/compare-pair.ts'
import { testRuns, type RunsTest } from '../table/runs.ts'
import { ourCell, scaleOf, sideOf, type OurCell, type RunResults } from './our-cells.ts'
import { columnOf, marginOf, rowOf, runOf } from './paper-table.ts'
import type { PaperCell, PaperTable } from './schema.ts'

/** What our cell is to the paper's. */
interface Outcome {
  /** `not comparable`: other data, or failures; `not run`: we have no cell. */
  readonly outcome: PublishedOutcome['outcome'] | 'within' | 'above' | 'below' | 'not comparable' | 'not run'
  /** Ours minus the paper's, and what counts as none; null without an outcome. */
  readonly difference: number | null
  readonly tolerance: number | null
  /** For `not determined`: questions that would show equal values; null where no number suffices. */
  readonly needed?: number | null
  /** Why there is no outcome. */
  readonly reason?: string
}

export type Compared = ReturnType<typeof compare>[number]

/**
 * The paper's cells, each with ours, in the paper's unit. `error`: over questions; `n`: scored
 * items or, for tokens, trials; `variance`: of run means, in the unit squared.
 */
export const compare = (paper: PaperTable, runs: RunResults) =>
  paper.cells.map((cell) => {
    const { row, column, value, secondHand } = cell
    const match = ourCell(paper, runs, row, column)
    const scale = scaleOf(columnOf(paper, column), match.n ?? 1)
    const { error = null, judgeVariance = null, repeatVariance = null } = match.cell ?? {}
    const inUnit = (number: number | null, factor = scale): number | null => (number === null ? null : factor * number)
    const spread = inUnit(judgeVariance ?? repeatVariance, scale ** 2)
    const printedVariance = varianceOfRuns(cell)
    const summary = {
      row,
      column,
      paper: value,
      ours: inUnit(match.value),
      error: inUnit(error),
      n: match.n,
      failed: match.failed,
      variance: printedVariance === undefined ? undefined : { paper: printedVariance, ours: spread },
      isSecondHand: secondHand === undefined ? undefined : true,
    }
    return { ...summary, ...outcomeOf(paper, cell, match, summary) }
  })

function outcomeOf(
  paper: PaperTable,
  cell: PaperCell,
  match: OurCell,
  { ours, error }: Readonly<Record<'ours' | 'error', number | null>>,
): Outcome {
  const { row, column: name, value: printedNumber, secondHand } = cell
  const noOutcome = { difference: null, tolerance: null }
  if (ours === null) return { ...noOutcome, outcome: 'not run', reason: match.flaws.join('; ') }
  const reasons = present(
    match.flaws,
    printedNumber === null && 'the paper gives no number for this cell',
    secondHand !== undefined && `the paper's number is second-hand: ${secondHand}`,
  )
  if (printedNumber === null || reasons.length > 0)
    return { ...noOutcome, outcome: 'not comparable', reason: reasons.join('; ') }
  const column = columnOf(paper, name)
  const difference = ours - printedNumber
  const tolerance = marginOf(column.tolerance, printedNumber)
  const comparison = { difference, tolerance }
  if ('tokens' in column || rowOf(paper, row).recorded) {
    const side = difference > 0 ? 'above' : 'below'
    return { ...comparison, outcome: Math.abs(difference) <= tolerance ? 'within' : side }
  }
  if (error === null) return { ...comparison, outcome: 'not determined', needed: null }
  const n = match.n ?? 1
  // the paper's number of questions does not apply to a subset
  const questions = (column.subset === 'all' ? paper.runs[runOf(paper, row, name)]?.questions : undefined) ?? n
  const result = compareWithPaper({
    difference,
    ourVariance: error ** 2,
    degrees: degreesOf(match),
    n,
    margin: tolerance,
    // ours, scaled to the paper's questions, plus the noise of its runs
    publishedVariance: error ** 2 * (n / questions) + (varianceOfRuns(cell) ?? 0) / column.runs,
  })
  return { ...comparison, ...result }
}

/** Degrees of freedom of the error (CR2). */
function degreesOf({ side, run, cell }: OurCell) {
  if (!side || !run) return (cell?.clusters ?? 0) - 1
  const { scores } = side
  return cr2Mean([...scores.values()], Array.from(scores.keys(), run.scores.questions.clusterOf)).degrees
}

/** As printed, else from the printed single runs; undefined without either. */
const varianceOfRuns = ({ variance: printedVariance, perRun }: PaperCell): number | undefined =>
  printedVariance ?? (perRun && variance(perRun))

interface PublishedOutcome {
  readonly outcome: 'equivalent' | 'different' | 'not determined'
  readonly needed: number | null
}

/**
 * Compares a difference to a published value, whose variance is of questions plus runs, with an equivalence margin.
 * `ourVariance`: of our value over `n` questions; `degrees`: of its error. `equivalent`: two one-sided t tests within
 * the margin; `different`: the 95 % interval lies outside. `needed`: questions that show equal values with 80 % power;
 * null where the published noise alone is too large.
 */
export function compareWithPaper(
  comparison: Readonly<Record<'difference' | 'ourVariance' | 'degrees' | 'n' | 'publishedVariance' | 'margin', number>>,
): PublishedOutcome {
  const { difference, ourVariance, publishedVariance, degrees, n, margin } = comparison
  const estimate = {
    mean: difference,
    error: Math.sqrt(ourVariance + publishedVariance),
    degrees,
  }
  if (degrees >= fewestDegrees && tost(estimate, margin).p <= alpha) return { outcome: 'equivalent', needed: null }
  const { low, high } = around(difference, estimate)
  if (low > margin || high < -margin) return { outcome: 'different', needed: null }
  // for equal values each test may fail half as often as both together
  const errors = normalCritical(1 - 2 * alpha) + normalCritical(usualPower)
  const remainingVariance = (margin / errors) ** 2 - publishedVariance
  return {
    outcome: 'not determined',
    needed: remainingVariance > 0 ? Math.ceil((ourVariance * n) / remainingVariance) : null,
  }
}

type PaperTest = PaperTable['tests'][number]

export type JudgedTest = ReturnType<typeof judgeTests>[number]

/**
 * The Mann–Whitney tests between runs that a paper reports. `ofItsRuns`: p from the single runs that the paper prints;
 * `agrees`: whether that is what it states; `ours`: Holm over the tests that our runs allow, null without our runs.
 */
export function judgeTests(paper: PaperTable, runs: RunResults) {
  const tests = paper.tests.map((test) => ({ test, match: ourTest(paper, runs, test) }))
  const adjustedPs = holm(tests.flatMap(({ match }) => match?.pAbove ?? []))
  return tests.map(({ test, match }) => {
    const perRun = (name: string) =>
      paper.cells.find((cell) => cell.row === name && cell.column === test.column)?.perRun ?? []
    const { p } = mannWhitney(perRun(test.row), perRun(test.than), { alternative: 'greater' })
    const agrees = test.p === null || Math.abs(p - test.p) <= 10 ** -test.decimals / 2
    return { ...test, ofItsRuns: p, agrees, ours: match ? { ...match, pAdjusted: adjustedPs.shift() ?? 1 } : null }
  })
}

function ourTest(paper: PaperTable, runs: RunResults, { column: name, row, than }: PaperTest): RunsTest | undefined {
  const column = columnOf(paper, name)
  const result = runs.get(column.run)
  const runScores = result && 'table' in result ? result.runScores : undefined
  if (!('metric' in column) || !runScores) return undefined
  const { manifest, scores } = runScores
  const scoredRowOf = (label: string) => {
    const { method = '', variant } = rowOf(paper, label)
    return sideOf(runScores, { method, variant }, column)
  }
  return testRuns(scoredRowOf(row), scoredRowOf(than), scores.questions.clusterOf, manifest.seed)
}
