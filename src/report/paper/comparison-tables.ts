import { valueOf } from '../../basics/collections.ts'
import { mannWhitney } from '../../math/statistics/rank-tests.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { rowName } from '../../text/names.ts'
import { alpha } from '../compare/compare-pair.ts'
import { plural, present } from '../../text/amounts.ts'
import { tableOf, type TextTable } from '../render/text-table.ts'
import { formatPairedDifference, pText } from '../render/notes-on-runs.ts'
import type { RunsTest } from '../table/runs.ts'
import type { TableRow } from '../table/table.ts'
import type { Phase } from '../../types.ts'
import { type Compared, type RunResult } from './compare-cells.ts'
import type { JudgedClaim, JudgedPair } from './judge-claims.ts'
import { rowOf, type PaperColumn, type PaperTable } from './paper-table.ts'
import { isRow } from '../compare/rows-to-compare.ts'

export interface TitledTable {
  readonly title: string
  readonly table: TextTable
}

/** The paper's cells beside ours, one table per column. */
export const comparisons = (paper: PaperTable, cells: readonly Compared[]): readonly TitledTable[] =>
  Object.entries(paper.columns).flatMap(([name, column]) => {
    const columnCells = cells.filter((cell) => cell.column === name)
    const format = (value: number | null): string => (value === null ? '–' : value.toFixed(digits[column.unit]))
    const table = tableOf(columnCells, [
      { title: 'row', cell: ({ row }) => row },
      { title: 'paper', cell: (cell) => format(cell.paper) },
      {
        title: 'ours',
        cell: ({ ours, error }) => (error === null ? format(ours) : `${format(ours)} ±${format(error)}`),
      },
      {
        title: 'difference',
        cell: ({ difference }) => `${difference !== null && difference >= 0 ? '+' : ''}${format(difference)}`,
      },
      {
        title: 'verdict',
        cell: (cell) =>
          cell.tolerance === null ? cell.verdict : `${cell.verdict} (±${format(cell.tolerance)}${neededText(cell)})`,
      },
      { title: 'as near', cell: ({ asNear = [] }) => asNear.join(', ') || '–' },
      columnCells.some(({ perQuestion }) => perQuestion) && {
        title: 'tokens a question: paper / ours',
        cell: ({ perQuestion }) => formatNumbers(perQuestion, (count) => count.toLocaleString('en-US')),
      },
      columnCells.some(({ variance }) => variance) && {
        title: 'σ² of runs: paper / ours',
        cell: ({ variance }) => formatNumbers(variance, varianceText),
      },
    ])
    return columnCells.length === 0 ? [] : [{ title: `${name}, ${unitNames[column.unit]}`, table }]
  })

function formatNumbers(
  numbers: { readonly paper: number | null; readonly ours: number | null } | undefined,
  textOf: (value: number) => string,
): string {
  const format = (value: number | null | undefined): string => (value == null ? '–' : textOf(value))
  return `${format(numbers?.paper)} / ${format(numbers?.ours)}`
}

const varianceText = (value: number): string =>
  value === 0 || value >= 0.01 ? String(Number(value.toPrecision(3))) : value.toExponential(2)

/** Milliseconds of model calls a question (cached calls as first measured), where the paper reports latency. */
export function latencyTables(paper: PaperTable, runs: ReadonlyMap<string, RunResult>): readonly TitledTable[] {
  const { latency } = paper
  if (latency === undefined) return []
  return tablesOf(paper, runs).map(({ run, rows, usage }) => {
    const timeOf = (row: TableRow, phase: Phase): string => {
      const { calls = 0, milliseconds = 0 } = usage.find((cell) => isRow(cell, row) && cell.phase === phase) ?? {}
      return calls === 0 ? 'no call' : (milliseconds / row.trials).toFixed(1)
    }
    return {
      title: `${run}: milliseconds of calls to models a question (the paper's words on latency: ${latency})`,
      table: tableOf(rows, [
        { title: 'row', cell: rowName },
        { title: 'retrieve', cell: (row) => timeOf(row, 'retrieve') },
        { title: 'answer', cell: (row) => timeOf(row, 'answer') },
      ]),
    }
  })
}

/** Context sizes of our rows and of recorded rows, where the paper's outputs are among them. */
export function contextTables(paper: PaperTable, runs: ReadonlyMap<string, RunResult>): readonly TitledTable[] {
  if (Object.values(paper.rows).every(({ recorded }) => !recorded)) return []
  return tablesOf(paper, runs).map(({ run, rows }) => ({
    title: `${run}: contexts, in the mean of the questions; tokens are those of the run's tokenizer`,
    table: tableOf(rows, [
      { title: 'row', cell: rowName },
      { title: 'passages', cell: ({ passages }) => passages?.toFixed(2) ?? '–' },
      { title: 'tokens', cell: ({ contextTokens }) => contextTokens?.toFixed(0) ?? '–' },
      {
        title: 'questions with a fallback',
        cell: ({ fallbacks, trials }) =>
          Object.entries(fallbacks)
            .map(([why, count]) => `${count} of ${trials} (${why})`)
            .join('; ') || '–',
      },
    ]),
  }))
}

/** Usage and paper rows of each completed run. */
function tablesOf({ runs: runNames, rows: paperRows }: PaperTable, runs: ReadonlyMap<string, RunResult>) {
  const methods = Object.values(paperRows).map(({ method }) => method)
  return Object.keys(runNames).flatMap((run) => {
    const ran = runs.get(run)
    if (!ran || !('table' in ran)) return []
    const { rows, usage } = ran.table
    return [{ run, usage, rows: rows.filter(({ method }) => methods.includes(method)) }]
  })
}

/** One table of pairs per claim: all pairs of small claims, else only those not upheld. */
export const claimTables = (claims: readonly JudgedClaim[]): readonly TitledTable[] =>
  claims.map(({ claim, place, verdict, here, reason, columns, pairs, printed }) => {
    const visiblePairs = pairs.length <= mostPairs ? pairs : pairs.filter((pair) => pair.verdict !== 'upheld')
    const names = [...new Set(pairs.map((pair) => pair.column))]
    const about = present(
      place,
      names.length === 1 && names,
      columns !== undefined && `judged on ${columns.judged} of ${plural(columns.of, 'column')}`,
      pairs.length > mostPairs && `${pairs.length - visiblePairs.length} of ${plural(pairs.length, 'pair')} upheld`,
      pairs.length === 0 && reason !== undefined && reason,
      `the paper's own cells: ${printed}`,
    )
    return {
      title: `${verdict}${here === undefined ? '' : `, ${here} by our numbers alone`}: ${claim} (${about.join('; ')})`,
      table: tableOf(visiblePairs, [
        { title: 'pair', cell: ({ said }) => said },
        names.length > 1 && { title: 'column', cell: ({ column }) => column },
        { title: 'difference', cell: amountOf },
        { title: 'higher : lower', cell: ({ win, loss }) => (win === undefined ? '–' : `${win} : ${loss}`) },
        { title: 'questions', cell: ({ questions }) => (questions === 0 ? '–' : questions) },
        { title: 'adjusted p', cell: adjustedP },
        { title: 'ours', cell: (pair) => pair.verdict },
      ]),
    }
  })

const mostPairs = 6

/** A difference in fractions with its 95 % interval, in tokens, or a ratio. */
function amountOf({ difference, low, high, test }: JudgedPair): string {
  if (test === 'none') return difference.toLocaleString('en-US', { maximumFractionDigits: 2 })
  const withSign = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(4)}`
  return `${withSign(difference)}${low === null || high === null ? '' : ` (${withSign(low)} to ${withSign(high)})`}`
}

/** Adjusted p, or why it cannot reach the level; tokens are not tested. */
function adjustedP({ pAdjusted, smallestP, questions, clusters, test }: JudgedPair): string {
  if (smallestP > alpha)
    return `cannot reach ${alpha} with ${plural(clusters, clusters < questions ? 'cluster' : 'question')}`
  if (pAdjusted === null) return '–'
  return `${pAdjusted < 0.0001 ? '< 0.0001' : pAdjusted.toFixed(4)} (${test})`
}

/** Reasons for missing verdicts, without duplicates. */
export const reasonsOf = (
  entries: readonly Pick<Compared | JudgedClaim, 'verdict' | 'reason'>[],
): readonly string[] => [
  ...new Set(entries.flatMap(({ verdict, reason }) => (reason === undefined ? [] : [`${verdict}: ${reason}`]))),
]

export const verdictNote =
  "Verdicts of scores: equivalent where two one-sided t tests (p <= .05, CR2) find our value within the tolerance of the paper's; different where the 95 % interval of the difference lies outside of it; else it cannot be told, and what would tell equal values with a power of 80 % stands beside. The paper's error is taken to be ours, scaled to its number of questions, as if its questions were others; a variance of its runs is added. As near: other rows of the paper that our value is no farther from by the same tests. Tokens are counted, and their verdict is the tolerance alone."

function neededText({ verdict, needed: questions, error }: Compared): string {
  if (verdict !== 'cannot tell') return ''
  if (error === null) return '; no error is known'
  return questions == null ? "; no number of questions, by the paper's own noise" : `; ${questions} questions would`
}

const unitNames: Readonly<Record<PaperColumn['unit'], string>> = {
  percent: '%',
  fraction: 'fractions',
  thousands: 'thousand tokens',
  number: 'numbers',
  count: 'counts',
}
const digits: Readonly<Record<PaperColumn['unit'], number>> = {
  percent: 2,
  fraction: 4,
  thousands: 1,
  number: 2,
  count: 1,
}

/** A Mann–Whitney test that a paper reports, recomputed from its printed runs, and ours. */
interface JudgedTest {
  readonly says: string
  readonly row: string
  readonly than: string
  /** As printed; null: not printed. */
  readonly stated: number | null
  /** From the single runs that the paper prints. */
  readonly ofItsRuns: number
  /** Whether both agree. */
  readonly agrees: boolean
  /** `pAdjusted`: Holm over the tests that our runs allow. Null without our runs. */
  readonly ours: RunsTest | null
}

export function judgeTests(paper: PaperTable, runs: ReadonlyMap<string, RunResult>): readonly JudgedTest[] {
  const tests = paper.tests.map(({ says, column, row, than, p: printedP, decimals }) => {
    const perRun = (name: string): readonly number[] =>
      paper.cells.find((cell) => cell.row === name && cell.column === column)?.perRun ?? []
    const { p } = mannWhitney(perRun(row), perRun(than), { alternative: 'greater' })
    return {
      says,
      row,
      than,
      stated: printedP,
      ofItsRuns: p,
      agrees: printedP === null || Math.abs(p - printedP) <= 10 ** -decimals / 2,
      ours: ourTest(paper, runs, { column, row, than }),
    }
  })
  const ourTests = tests.flatMap(({ ours: test }) => (test === null ? [] : [test]))
  const adjustedPs = new Map(holm(ourTests.map(({ pAbove }) => pAbove)).map((p, index) => [ourTests[index], p]))
  return tests.map((test) => ({
    ...test,
    ours: test.ours && { ...test.ours, pAdjusted: valueOf(adjustedPs, test.ours) },
  }))
}

function ourTest(
  { columns, rows }: PaperTable,
  runs: ReadonlyMap<string, RunResult>,
  { column: name, row, than }: { readonly column: string; readonly row: string; readonly than: string },
): RunsTest | null {
  const column = columns[name]
  const ran = column && runs.get(column.run)
  if (!column || !('metric' in column) || !ran || !('table' in ran)) return null
  const [above, below] = [row, than].map((label) => {
    const { method, variant } = rowOf({ rows }, label)
    return method === undefined ? undefined : rowName({ method, variant })
  })
  const ourRuns = ran.table.runs?.find(({ scorer, metric }) => scorer === column.scorer && metric === column.metric)
  return ourRuns?.tests.find((test) => test.above === above && test.below === below) ?? null
}

export const testTables = (tests: readonly JudgedTest[]): readonly TitledTable[] =>
  tests.length === 0
    ? []
    : [
        {
          title:
            'tests between runs (Mann–Whitney U, one-sided as the paper states them; ours with Holm): the runs share their questions',
          table: tableOf(tests, [
            { title: 'pair', cell: ({ row, than }) => `${row} above ${than}` },
            { title: 'p printed', cell: ({ stated: printedP }) => printedP ?? '–' },
            {
              title: "p of the paper's runs",
              cell: ({ ofItsRuns, agrees }) => `${pText(ofItsRuns)}${agrees ? '' : ': not what is printed'}`,
            },
            {
              title: 'ours, paired over questions',
              cell: ({ ours: test }) => (test?.paired ? formatPairedDifference(test.paired) : '–'),
            },
            {
              title: 'ours, between runs',
              cell: ({ ours: test }) => (test === null ? '–' : `U = ${test.u}, p ${pText(test.pAdjusted)}`),
            },
          ]),
        },
      ]
