import { fewestIndexes } from '../../math/statistics/between-index-variance.ts'
import { listing, plural, questionsIn } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import { alpha } from '../compare/compare-pair.ts'
import type { Trend } from '../compare/trends.ts'
import { runsIn } from '../synthetic.ts'
import type { Runs, RunsTest } from '../table/runs.ts'
import { scaleOf, signedPoints, toPoints } from './columns.ts'
import { perRowNote, type Facts, type Note } from './rows.ts'

/** Counts of single runs, and variance between repeats and indexes. */
export const runNotes: readonly Note[] = [
  ({ table: { runs = [] } }) => {
    const repeatedRuns = runs.filter(({ rows, metric }) => rows.some(({ perRun }) => (perRun[metric]?.length ?? 0) > 1))
    return repeatedRuns.flatMap(countNotes)
  },
  perRowNote('Standard deviation of the first score between single repeats', ({ index }, { columns: [column] }) =>
    formatDeviation(Math.sqrt(column?.cells[index]?.repeatVariance ?? NaN), index, column),
  ),
  ({ manifest, table: { cells } }) =>
    cells.some(({ repeats }) => repeats > 1) &&
    runsIn(manifest).every(({ indexPerRepeat }) => indexPerRepeat === false) &&
    'All repeats share one index: errors, intervals and tests exclude between-index variance.',
  perRowNote(
    'Stochastic indexes, built for each repeat with added costs',
    ({ summary: { indexes } }) => indexes && `${indexes.built} of ${plural(indexes.corpora, 'corpus', 'corpora')}`,
  ),
  perRowNote(
    `Standard deviation between indexes, which errors, intervals and tests hold from ${fewestIndexes} indexes on`,
    ({ index }, { columns: [column] }) => {
      const variance = column?.cells[index]?.luck
      if (!variance) return undefined
      return (
        formatDeviation(variance.deviation ?? NaN, index, column) ??
        `unknown (${plural(variance.indexes, 'index', 'indexes')})`
      )
    },
  ),
]

function formatDeviation(deviation: number, index: number, column: Facts['columns'][number] | undefined) {
  const [scale, digits] = scaleOf(column?.unit ?? 'percent', column?.cells[index]?.n)
  return Number.isNaN(deviation) ? undefined : (scale * deviation).toFixed(digits)
}

/** Counts run by run, and majority verdicts. */
function countNotes({ metric, scorer, rows }: Runs) {
  const most = Math.max(...rows.flatMap(({ questions }) => questions))
  const counts = rows.map((row) => {
    const perRun = (row.perRun[metric] ?? []).map((count) => Number(count.toFixed(2))).join(' ')
    const isWhole = row.questions.every((count) => count === most)
    const total = isWhole ? '' : ` of ${row.questions.join(' ')} questions`
    return `${rowName(row)} ${perRun}${total}`
  })
  const verdicts = rows.map((row) => {
    const majority = Object.entries(row.majority).flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []))
    const agreement = row.agreement === null ? '' : ` (${toPoints(row.agreement)} % of pairs of runs agree)`
    return `${rowName(row)} ${majority.join(', ')}${agreement}`
  })
  return [
    `${metric}, run by run: ${listing(counts, '; ')}.`,
    `${scorer}, questions by majority verdict: ${listing(verdicts, '; ')}.`,
  ]
}

/** `+5.0 points, p 0.03`, or that no p can reach alpha. */
export function formatPairedDifference({ difference, p, smallestP }: NonNullable<RunsTest['paired']>) {
  const amount = `${signedPoints(difference)} points`
  return smallestP > alpha ? `${amount}, cannot reach ${alpha}` : `${amount}, p ${pText(p)}`
}

/** A p-value with three significant digits. */
export const pText = (p: number) => (p < 1e-4 ? p.toExponential(2) : Number(p.toPrecision(3)).toString())

/** The trend of a score over an option in one sentence. */
export function trendText(trend: Trend) {
  const { option, curve, metric, values, rises, falls } = trend
  const move =
    falls <= alpha
      ? `falls (p ${pText(falls)})`
      : rises <= alpha
        ? `rises (p ${pText(rises)})`
        : `no trend (rise p ${pText(rises)}, fall p ${pText(falls)})`
  return `${metric} by ${option} of ${curve} (${values.join(', ')}): ${move} (sign flips, ${questionsIn(trend)})`
}
