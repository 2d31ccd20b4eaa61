import { fewestIndexes } from '../../math/statistics/between-index-variance.ts'
import { listing, plural, present, questionsIn } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import { alpha } from '../compare/compare-pair.ts'
import type { Trend } from '../compare/trends.ts'
import { runsIn } from '../synthetic.ts'
import type { Runs, RunsTest } from '../table/runs.ts'
import { toPoints, scaleOf } from './columns.ts'
import type { Facts, Note } from './note.ts'

/** Counts of single runs and variance between repeats. */
export const runNotes: readonly Note[] = [
  {
    text: ({ table: { runs = [] } }) =>
      runs
        .filter(({ rows, metric }) => rows.some(({ perRun }) => (perRun[metric]?.length ?? 0) > 1))
        .flatMap((summary) => [countsNote(summary), majorityNote(summary), ...testsNotes(summary)]),
  },
  {
    // standard deviation between repeats, of the first column
    text(facts) {
      const {
        rows,
        columns: [column],
      } = facts
      if (!isRepeated(facts) || !column) return false
      const { label, unit, cells } = column
      const spreads = rows.flatMap(({ name, index }) => {
        const variance = cells[index]?.repeatVariance ?? null
        const [scale, digits] = scaleOf(unit, cells[index]?.n)
        return variance === null ? [] : [`${name} ${(scale * Math.sqrt(variance)).toFixed(digits)}`]
      })
      return (
        spreads.length > 0 &&
        `${label}: standard deviation${unit === 'percent' ? ' in points' : ''} between the means of single repeats: ${listing(spreads)}.`
      )
    },
  },
  { text: (facts) => isRepeated(facts) && indexVarianceNotes(facts) },
]

function countsNote({ metric, rows }: Runs): string {
  const most = Math.max(...rows.flatMap(({ questions }) => questions))
  const counts = rows.map((row) => {
    const perRun = (row.perRun[metric] ?? []).map((count) => Number(count.toFixed(2))).join(' ')
    const isWhole = row.questions.every((count) => count === most)
    return `${rowName(row)} ${perRun}${isWhole ? '' : ` of ${row.questions.join(' ')} questions`}`
  })
  return `${metric}, run by run: ${listing(counts, '; ')}.`
}

function majorityNote({ scorer, rows }: Runs): string {
  const verdicts = rows.map((row) => {
    const counts = Object.entries(row.majority).flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []))
    const agreement = row.agreement === null ? '' : ` (${toPoints(row.agreement)} % of pairs of runs agree)`
    return `${rowName(row)} ${counts.join(', ')}${agreement}`
  })
  return `${scorer}, questions by majority verdict: ${listing(verdicts, '; ')}.`
}

/** Tests of each row against the next. */
function testsNotes({ metric, rows, tests }: Runs): readonly string[] {
  const names = rows.map(rowName)
  const next = tests.filter(({ above, below }) => names.indexOf(below) === names.indexOf(above) + 1)
  const suffix = tests.length > next.length ? ', the other pairs in table.json' : ''
  return present(
    next.length > 0 &&
      `${metric}, each row against the next${suffix}: the paired test over questions, two-sided, not corrected; behind it Mann–Whitney's U between runs, two-sided, Holm over ${plural(tests.length, 'pair')}, of the questions that both rows have a score for in every run: the runs share them and so measure the sampling of the models alone. ${next.map(testOf).join('. ')}.`,
  )
}

const testOf = ({ above, below, questions, u, pAdjusted, paired }: RunsTest): string =>
  `${above} and ${below}: ${paired === null ? '' : `paired ${formatPairedDifference(paired)}; `}runs, on ${plural(questions, 'question')}, U = ${u}, p ${pText(pAdjusted)}`

/** `+5.0 points, p 0.03`, or that no p can reach alpha. */
export function formatPairedDifference({ difference, p, smallestP }: NonNullable<RunsTest['paired']>): string {
  const amount = `${difference < 0 ? '' : '+'}${toPoints(difference)} points`
  return smallestP > alpha ? `${amount}, cannot reach ${alpha}` : `${amount}, p ${pText(p)}`
}

/** A p-value with three significant digits. */
export const pText = (p: number): string => (p < 1e-4 ? p.toExponential(2) : Number(p.toPrecision(3)).toString())

/** The trend of a score over an option in one sentence, with the saturation value. */
export function trendText(trend: Trend): string {
  const { option, curve, metric, values, rises, falls, margin, saturation } = trend
  const sentence = (outcome: string, tests: string): string =>
    `${metric} by ${option} of ${curve} (${values.join(', ')}): ${outcome} (${tests}, p <= ${alpha}, ${questionsIn(trend)})`
  if (falls <= alpha) return sentence(`falls (p ${pText(falls)})`, 'sign flips of contrasts')
  const moves =
    rises <= alpha ? `rises (p ${pText(rises)})` : `no trend (rise p ${pText(rises)}, fall p ${pText(falls)})`
  const points = `${Number((100 * margin).toFixed(3))} points`
  const stops =
    saturation === null
      ? `no value is shown after which it rises by less than ${points}`
      : `after ${saturation} it rises by less than ${points}`
  return sentence(`${moves}; ${stops}`, 'sign flips of contrasts, one-sided t tests')
}

const isRepeated = ({ table: { cells } }: Facts): boolean => cells.some(({ repeats }) => repeats > 1)

/** Whether each repeat has an index of its own, and whether errors contain the between-index variance. */
function indexVarianceNotes({ manifest, table, rows, columns: [column] }: Facts): readonly string[] {
  if (runsIn(manifest).every(({ indexPerRepeat }) => indexPerRepeat === false))
    return ['All repeats share one index: errors, intervals and tests exclude between-index variance.']
  const buildCounts = rows.flatMap(({ name, summary: { indexes: counts } }) =>
    counts ? [`${name} ${counts.built} of ${plural(counts.corpora, 'corpus', 'corpora')}`] : [],
  )
  if (buildCounts.length === 0) return []
  const variances = rows.flatMap(({ name, index }) => {
    const cell = column?.cells[index]
    return cell?.luck ? [{ name, ...cell.luck, n: cell.n }] : []
  })
  const undeterminedRows = variances.flatMap(({ name, deviation }) => (deviation === null ? [name] : []))
  const deviationTexts = variances.flatMap(({ name, indexes: count, deviation, n }) => {
    const [scale, digits] = scaleOf(column?.unit ?? 'percent', n)
    return deviation === null ? [] : [`${name} ${(scale * deviation).toFixed(digits)} of ${count} indexes`]
  })
  const byLabels = table.comparison?.pairs.some(({ labels, luck }) => labels && luck)
  return present(
    `Stochastic indexes were built for each repeat: ${listing(buildCounts)}. Their costs are added up.`,
    deviationTexts.length > 0 &&
      `${column?.label ?? ''}: errors, intervals and tests include the standard deviation between indexes: ${deviationTexts.join(', ')}.${byLabels ? ' Label-corrected differences exclude it.' : ''}`,
    undeterminedRows.length > 0 &&
      `Errors, intervals and tests of ${undeterminedRows.join(', ')} exclude between-index variance: it takes ${fewestIndexes} indexes (repeats: ${fewestIndexes}).`,
  )
}
