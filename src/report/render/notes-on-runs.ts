import { fewestIndexes } from '../../math/statistics/between-index-variance.ts'
import { listing, plural, present } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import { alpha } from '../compare/compare-pair.ts'
import { runsIn } from '../synthetic.ts'
import type { Runs, RunsTest } from '../table/runs.ts'
import { points, scaleOf } from './columns.ts'
import type { Facts, Note } from './note.ts'

/** What single runs counted, and how far repeats differ; none where every question was asked once. */
export const runNotes: readonly Note[] = [
  {
    text: ({ table: { runs = [] } }) =>
      runs
        .filter(({ rows, metric }) => rows.some(({ perRun }) => (perRun[metric]?.length ?? 0) > 1))
        .flatMap((one) => [countsNote(one), majorityNote(one), ...testsNotes(one)]),
  },
  { text: (facts) => isRepeated(facts) && deviations(facts) },
  { text: (facts) => isRepeated(facts) && indexes(facts) },
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
    const agreement = row.agreement === null ? '' : ` (${points(row.agreement)} % of pairs of runs agree)`
    return `${rowName(row)} ${counts.join(', ')}${agreement}`
  })
  return `${scorer}, questions by the verdict of most runs: ${listing(verdicts, '; ')}.`
}

/** Every row against the next; the others are in table.json. */
function testsNotes({ metric, rows, tests }: Runs): readonly string[] {
  const names = rows.map(rowName)
  const next = tests.filter(({ above, below }) => names.indexOf(below) === names.indexOf(above) + 1)
  const others = tests.length > next.length ? ', the other pairs in table.json' : ''
  return present(
    next.length > 0 &&
      `${metric}, each row against the next${others}: the paired test over questions, two-sided, not corrected; behind it Mann–Whitney's U between runs, two-sided, Holm over ${plural(tests.length, 'pair')}, of the questions that both rows have a score for in every run: the runs share them and so measure the sampling of the models alone. ${next.map(testOf).join('. ')}.`,
  )
}

const testOf = ({ above, below, questions, u, pAdjusted, paired }: RunsTest): string =>
  `${above} and ${below}: ${paired === null ? '' : `paired ${pairedText(paired)}; `}runs, on ${plural(questions, 'question')}, U = ${u}, p ${pOf(pAdjusted)}`

/** A paired difference in points with its p, or that the questions are too few for one. */
export function pairedText({ difference, p, smallestP }: NonNullable<RunsTest['paired']>): string {
  const amount = `${difference < 0 ? '' : '+'}${points(difference)} points`
  return smallestP > alpha ? `${amount}, cannot reach ${alpha}` : `${amount}, p ${pOf(p)}`
}

/** A p with three significant digits. */
export const pOf = (p: number): string => (p < 1e-4 ? p.toExponential(2) : Number(p.toPrecision(3)).toString())

const isRepeated = ({ table: { cells } }: Facts): boolean => cells.some(({ repeats }) => repeats > 1)

/** The standard deviation of the means of single repeats, in the first column. */
function deviations({ rows, columns: [column] }: Facts): string | false {
  if (!column) return false
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
}

/** Whether repeats had indexes of their own, how lucky an index is in the first column, and whether errors hold it. */
function indexes({ manifest, table, rows, columns: [column] }: Facts): readonly string[] {
  if (runsIn(manifest).every(({ indexPerRepeat }) => indexPerRepeat === false))
    return [
      'All repeats asked the same index: what other random numbers at the index would change is not in errors, intervals and tests.',
    ]
  const built = rows.flatMap(({ name, summary: { indexes: own } }) =>
    own ? [`${name} ${own.built} of ${plural(own.corpora, 'corpus', 'corpora')}`] : [],
  )
  if (built.length === 0) return []
  const lucky = rows.flatMap(({ name, index }) => {
    const cell = column?.cells[index]
    return cell?.luck ? [{ name, ...cell.luck, n: cell.n }] : []
  })
  const few = lucky.flatMap(({ name, deviation }) => (deviation === null ? [name] : []))
  const known = lucky.flatMap(({ name, indexes: count, deviation, n }) => {
    const [scale, digits] = scaleOf(column?.unit ?? 'percent', n)
    return deviation === null ? [] : [`${name} ${(scale * deviation).toFixed(digits)} of ${count} indexes`]
  })
  const byLabels = table.comparison?.pairs.some(({ labels, luck }) => labels && luck)
  return present(
    `Indexes that depend on random numbers were built for each repeat: ${listing(built)}. Their costs are added up, each counted as if it were the only one.`,
    known.length > 0 &&
      `${column?.label ?? ''}: the luck of an index, as the standard deviation of a mean between indexes, is in errors, intervals and tests: ${known.join(', ')}.${byLabels ? ' It is not in the differences that labels correct.' : ''}`,
    few.length > 0 &&
      `The luck of an index is not in the errors, intervals and tests of ${few.join(', ')}: that takes ${fewestIndexes} indexes that scored the same questions (repeats: ${fewestIndexes}).`,
  )
}
