import { alpha } from '../compare/compare-pair.ts'
import type { GraphCorrelation } from '../table/graph-figures.ts'
import type { Trend } from '../compare/trends.ts'
import type { Table } from '../table/table.ts'
import { listing, plural, present, questionsIn } from './amounts.ts'
import { pOf } from './notes-on-runs.ts'

/** What scores do with options that are varied, and with measures of graphs, and why nothing is said over runs. */
export const notesOnTrends = (table: Pick<Table, 'trends' | 'graphCorrelations' | 'notAcross'>): readonly string[] =>
  present(
    ...(table.trends ?? []).map((trend) => `${trendText(trend)}.`),
    correlationNotes(table.graphCorrelations ?? []),
    table.notAcross !== undefined && `Rows are not compared over runs: ${table.notAcross}.`,
  )

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
