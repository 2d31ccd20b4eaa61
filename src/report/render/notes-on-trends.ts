import { itemAt } from '../../basics/collections.ts'
import { rowName } from '../../text/names.ts'
import { alpha } from '../compare/compare-pair.ts'
import type { RowComparison } from '../compare/row-comparison.ts'
import { drawnSamples, type Crossing, type Curves } from '../compare/curves.ts'
import type { GraphCorrelation } from '../table/graph-figures.ts'
import type { Trend } from '../compare/trends.ts'
import type { Table } from '../table/table.ts'
import { counted, listing, plural, present, questionsIn } from './amounts.ts'
import { canReach, points } from './columns.ts'
import { pOf } from './notes-on-runs.ts'

/** What scores do with options that are varied, and with measures of graphs, and why nothing is said over runs. */
export const notesOnTrends = (
  table: Pick<Table, 'trends' | 'curves' | 'notCurves' | 'graphCorrelations' | 'notAcross'>,
): readonly string[] =>
  present(
    notesOnCurves(table),
    ...(table.trends ?? []).map((trend) => `${trendText(trend)}.`),
    correlationNotes(table.graphCorrelations ?? []),
    table.notAcross !== undefined && `Rows are not compared over runs: ${table.notAcross}.`,
  )

/** More crossings than these are counted. */
export const mostCrossings = 6

/** Where rows cross over the number that is varied, and their areas, a sentence each. */
export function notesOnCurves({ curves, notCurves }: Pick<Table, 'curves' | 'notCurves'>): readonly string[] {
  if (notCurves !== undefined) return [`Rows are not compared as curves: ${notCurves}.`]
  if (!curves) return []
  const { option, metric, crossings, untold, tests, areas, leftOut } = curves
  const more = crossings.length - mostCrossings
  const tested = `(sign flips, Westfall–Young over ${plural(tests, 'pair of rows at a value', 'pairs of rows at a value')}, p <= ${alpha})`
  const others = untold > 0 && crossings.length > 0 ? 'other ' : ''
  return present(
    crossings.slice(0, mostCrossings).map((crossing) => `${metric}: ${crossingText(curves, crossing)}.`),
    more > 0 && `${plural(more, 'more crossing')} of rows over ${option}: table.json has them.`,
    crossings.length > 0 &&
      `A crossing is where the difference of two means, joined by straight lines over ${option}, is 0, between values at which it is shown to be below and above 0 ${tested}; intervals by ${counted(drawnSamples)} samples of the questions${clustered(curves)} with replacement.`,
    untold > 0 &&
      `The means of ${plural(untold, `${others}pair`)} of rows change their order with ${option}; that they cross cannot be told ${tested}.`,
    leftOut.length > 0 && `Not compared as curves, not at every value of ${option}: ${listing(leftOut)}.`,
    areaNote(curves, areas),
  )
}

/** `raptor passes vector between 900 and 2,100 of budget.tokens (95 % interval, 225 questions)`. */
export const crossingText = (curves: Curves, { above, below, from, to, low, high, once }: Crossing): string =>
  `${above} passes ${below} between ${place(low)} and ${place(high)} of ${curves.option}${once < 0.95 ? ', perhaps more than once' : ''} (95 % interval; shown below at ${place(from)}, above at ${place(to)}; ${questionsIn(curves)})`

const place = (value: number): string => counted(Number(value.toPrecision(3)))

const clustered = ({ questions, clusters }: Curves): string => (clusters < questions ? "' clusters" : '')

/** The leader by its area, and the rows that it is shown to be above. */
function areaNote(curves: Curves, areas: RowComparison): string {
  const { option, metric, values } = curves
  const sorted = areas.rows.toSorted((a, b) => b.mean - a.mean)
  const leader = itemAt(sorted, 0)
  const range = `${place(itemAt(values, 0))} to ${place(itemAt(values, -1))}`
  const said = listing(sorted.map((row) => `${rowName(row)} ${points(row.mean)}`))
  const shown = sorted.filter(({ letter }) => leader.better.includes(letter))
  const told = !canReach(areas)
    ? 'no test can show a difference'
    : shown.length === 0
      ? `${rowName(leader)} is not shown to be above another`
      : `${rowName(leader)} is shown to be above ${listing(shown.map(rowName))}`
  return `${metric} in the mean over ${option} from ${range} (area under the curve): ${said}; ${told} (sign flips, ${areas.pairs.length > 1 ? `Westfall–Young over ${areas.pairs.length} pairs, ` : ''}p <= ${alpha}, ${questionsIn(curves)}).`
}

/** Whether a score rises with an option, and, unless it falls, after which value it rises no more, in a line. */
export function trendText(trend: Trend): string {
  const { option, curve, metric, values, rises, falls, margin, saturation } = trend
  const said = (what: string, tests: string): string =>
    `${metric} with ${option} of ${curve}, ${values.join(', ')}: ${what} (${tests}, p <= ${alpha}, ${questionsIn(trend)})`
  if (falls <= alpha) return said(`falls (p ${pOf(falls)})`, 'sign flips of contrasts')
  const moves =
    rises <= alpha ? `rises (p ${pOf(rises)})` : `is not shown to rise (p ${pOf(rises)}) or fall (p ${pOf(falls)})`
  const points = `${Number((100 * margin).toFixed(3))} points`
  const stops =
    saturation === null
      ? `no value is shown after which it rises by less than ${points}`
      : `after ${saturation} it rises by less than ${points}`
  return said(`${moves}; ${stops}`, 'sign flips of contrasts, one-sided t tests')
}

/** How measures of graphs go with the score over the rows of one method. */
export function correlationNotes(correlations: readonly GraphCorrelation[]): readonly string[] {
  const [first] = correlations
  if (!first) return []
  const tests = plural(correlations.length, 'correlation')
  const ofMethod = (method: string): string => {
    const own = correlations.filter((one) => one.method === method).sort((a, b) => a.p - b.p)
    const said = own.map(
      ({ measure, rho, p, pAdjusted, graphs }) =>
        `${measure} ${rho.toFixed(2)} (n ${graphs}, p ${pOf(p)}, Holm ${pOf(pAdjusted)})`,
    )
    return `${method} (${plural(own[0]?.rows ?? 0, 'row')}): ${listing(said)}`
  }
  const shown = correlations.filter(({ pAdjusted }) => pAdjusted <= alpha)
  const verdict =
    shown.length === 0
      ? 'None is shown'
      : `Shown: ${listing(shown.map(({ method, measure }) => `${measure} of ${method}`))}`
  return [
    `Spearman's rank correlation of measures of a graph with ${first.metric}, over different graphs of one method: ${[...new Set(correlations.map(({ method }) => method))].map(ofMethod).join('; ')}. ${verdict} (permutation tests, Holm over ${tests}, p <= ${alpha}); a correlation is no cause, a measure moves with all that the rows vary, and rows that ask the same questions are not independent.`,
  ]
}
