import { fewestIndexes } from '../../math/statistics/index-luck.ts'
import type { Manifest } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { alpha } from '../compare/compare-pair.ts'
import { runsIn } from '../synthetic.ts'
import type { Runs, RunsTest } from '../table/runs.ts'
import type { Table } from '../table/table.ts'
import { listing, plural, present } from '../../text/amounts.ts'
import { columnsOf, scaleOf } from './columns.ts'
import type { NamedRow } from './notes-on-warnings.ts'

/** What single runs counted, how far they agree, and which rows differ; none where every row ran once. */
export const notesOnRuns = ({ runs = [] }: Pick<Table, 'runs'>): readonly string[] =>
  runs
    .filter(({ rows, metric }) => rows.some(({ perRun }) => (perRun[metric]?.length ?? 0) > 1))
    .flatMap((one) => [countsNote(one), majorityNote(one), ...testsNotes(one)])

function countsNote({ metric, rows }: Runs): string {
  const most = Math.max(...rows.flatMap(({ questions }) => questions))
  const counted = rows.map((row) => {
    const counts = `${rowName(row)} ${(row.perRun[metric] ?? []).map(short).join(' ')}`
    return row.questions.every((count) => count === most) ? counts : `${counts} of ${row.questions.join(' ')} questions`
  })
  return `${metric}, run by run: ${listing(counted, '; ')}.`
}

function majorityNote({ scorer, rows }: Runs): string {
  const said = rows.map((row) => {
    const counts = Object.entries(row.majority).flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []))
    const agreement = row.agreement === null ? '' : ` (${(100 * row.agreement).toFixed(1)} % of pairs of runs agree)`
    return `${rowName(row)} ${counts.join(', ')}${agreement}`
  })
  return `${scorer}, questions by the verdict of most runs: ${listing(said, '; ')}.`
}

/** Every row against the next; the others are in table.json. */
function testsNotes({ metric, rows, tests }: Runs): readonly string[] {
  const names = rows.map(rowName)
  const next = tests.filter(({ above, below }) => names.indexOf(below) === names.indexOf(above) + 1)
  if (next.length === 0) return []
  const others = tests.length > next.length ? ', the other pairs in table.json' : ''
  return [
    `${metric}, each row against the next${others}: the paired test over questions, two-sided, not corrected; behind it Mann–Whitney's U between runs, two-sided, Holm over ${plural(tests.length, 'pair')}, of the questions that both rows have a score for in every run: the runs share them and so measure the sampling of the models alone. ${next.map(testOf).join('. ')}.`,
  ]
}

function testOf({ above, below, questions, u, pAdjusted, paired }: RunsTest): string {
  return `${above} and ${below}: ${paired === null ? '' : `paired ${pairedText(paired)}; `}runs, on ${plural(questions, 'question')}, U = ${u}, p ${pOf(pAdjusted)}`
}

/** A paired difference in points with its p, or that the questions are too few for one. */
export function pairedText({ difference, p, smallestP }: NonNullable<RunsTest['paired']>): string {
  const points = `${difference < 0 ? '' : '+'}${(100 * difference).toFixed(1)} points`
  return smallestP > alpha ? `${points}, cannot reach ${alpha}` : `${points}, p ${pOf(p)}`
}

/** A p with three significant digits. */
export const pOf = (p: number): string => (p < 1e-4 ? p.toExponential(2) : Number(p.toPrecision(3)).toString())

const short = (count: number): string => String(Number(count.toFixed(2)))

/** How far repeats differ, and whether they had indexes of their own; none where every question was asked once. */
export function notesOnRepeats(manifest: Manifest, table: Table, rows: readonly NamedRow[]): readonly string[] {
  if (!table.cells.some(({ repeats }) => repeats > 1)) return []
  return [...deviations(manifest, table, rows), ...indexes(manifest, table, rows)]
}

/** The standard deviation of the means of single repeats, in the first column. */
function deviations(manifest: Manifest, table: Table, rows: readonly NamedRow[]): readonly string[] {
  const [column] = columnsOf(manifest, table)
  if (!column) return []
  const { label, unit, cells } = column
  const points = unit === 'percent' ? ' in points' : ''
  const found = rows.flatMap(({ name }, index) => {
    const variance = cells[index]?.repeatVariance ?? null
    const [scale, digits] = scaleOf(unit, cells[index]?.n)
    return variance === null ? [] : [`${name} ${(scale * Math.sqrt(variance)).toFixed(digits)}`]
  })
  return found.length === 0
    ? []
    : [`${label}: standard deviation${points} between the means of single repeats: ${listing(found)}.`]
}

function indexes(manifest: Manifest, table: Table, rows: readonly NamedRow[]): readonly string[] {
  if (runsIn(manifest).every(({ indexPerRepeat }) => indexPerRepeat === false))
    return [
      'All repeats asked the same index: what other random numbers at the index would change is not in errors, intervals and tests.',
    ]
  const own = rows.flatMap(({ name, summary: { indexes } }) =>
    indexes ? [`${name} ${indexes.built} of ${plural(indexes.corpora, 'corpus', 'corpora')}`] : [],
  )
  return own.length === 0
    ? []
    : [
        `Indexes that depend on random numbers were built for each repeat: ${listing(own)}. Their costs are added up, each counted as if it were the only one.`,
        ...luckNotes(manifest, table, rows),
      ]
}

/** How lucky an index is, in the first column, and whether errors hold it. */
function luckNotes(manifest: Manifest, table: Table, rows: readonly NamedRow[]): readonly string[] {
  const [column] = columnsOf(manifest, table)
  const found = rows.flatMap(({ name }, row) => {
    const cell = column?.cells[row]
    return cell?.luck ? [{ name, ...cell.luck, n: cell.n }] : []
  })
  const few = found.filter(({ deviation }) => deviation === null)
  const known = found.flatMap(({ name, indexes, deviation, n }) => {
    const [scale, digits] = scaleOf(column?.unit ?? 'percent', n)
    return deviation === null ? [] : [`${name} ${(scale * deviation).toFixed(digits)} of ${indexes} indexes`]
  })
  const byLabels = table.comparison?.pairs.some(({ labels, luck }) => labels && luck)
  return present(
    known.length > 0 &&
      `${column?.label ?? ''}: the luck of an index, as the standard deviation of a mean between indexes, is in errors, intervals and tests: ${known.join(', ')}.${byLabels ? ' It is not in the differences that labels correct.' : ''}`,
    few.length > 0 &&
      `The luck of an index is not in the errors, intervals and tests of ${few.map(({ name }) => name).join(', ')}: that takes ${fewestIndexes} indexes that scored the same questions (repeats: ${fewestIndexes}).`,
  )
}
