import { valueOf } from '../../basics/collections.ts'
import { mannWhitney } from '../../math/statistics/rank-tests.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { rowName } from '../../text/names.ts'
import { plural, present } from '../../text/amounts.ts'
import { tableOf, type TextTable } from '../render/text-table.ts'
import { formatPairedDifference, pText } from '../render/notes-on-runs.ts'
import type { RunsTest } from '../table/runs.ts'
import type { TableRow } from '../table/table.ts'
import type { Phase } from '../../types.ts'
import { type Compared, type RunResult } from './compare-cells.ts'
import { rowsInClaim } from './claims.ts'
import type { JudgedClaim } from './judge-claims.ts'
import { rowOf, type PaperColumn, type PaperTable } from './paper-table.ts'
import { isRow } from '../compare/rows-to-compare.ts'

export interface TitledTable {
  readonly title: string
  readonly table: TextTable
}

/**
 * The paper's cells beside ours, one table per column of which a run is there. `isFull` adds nearer rows, tokens a
 * question and variances of runs.
 */
export const comparisons = (paper: PaperTable, cells: readonly Compared[], isFull: boolean): readonly TitledTable[] =>
  Object.entries(paper.columns).flatMap(([name, column]) => {
    const columnCells = cells.filter((cell) => cell.column === name)
    if (columnCells.every(({ outcome }) => outcome === 'not run')) return []
    const format = (value: number | null): string => (value === null ? '–' : value.toFixed(digits[column.unit]))
    const table = tableOf(columnCells, [
      { title: 'row', cell: ({ row }) => row },
      { title: 'paper', cell: (cell) => `${format(cell.paper)}${cell.isSecondHand ? ' (second-hand)' : ''}` },
      {
        title: 'ours',
        cell: ({ ours, error }) => (error === null ? format(ours) : `${format(ours)} ±${format(error)}`),
      },
      {
        title: 'difference',
        cell: ({ difference }) => `${difference !== null && difference >= 0 ? '+' : ''}${format(difference)}`,
      },
      { title: 'outcome', cell: outcomeText },
      isFull && { title: 'as near', cell: ({ asNear = [] }) => asNear.join(', ') || '–' },
      isFull &&
        columnCells.some(({ perQuestion }) => perQuestion) && {
          title: 'tokens a question: paper / ours',
          cell: ({ perQuestion }) => formatNumbers(perQuestion, (count) => count.toLocaleString('en-US')),
        },
      isFull &&
        columnCells.some(({ variance }) => variance) && {
          title: 'σ² of runs: paper / ours',
          cell: ({ variance }) => formatNumbers(variance, varianceText),
        },
    ])
    const { tolerance } = column
    const margin = typeof tolerance === 'number' ? `±${format(tolerance)}` : tolerance.replace(/ ?%/, ' %')
    return [{ title: `${name}, ${unitNames[column.unit]}; tolerance ${margin}`, table }]
  })

/** The outcome of a cell, the questions that would determine it, and how many other rows of the paper fit as well. */
function outcomeText({ outcome, needed, error, asNear = [] }: Compared): string {
  const details = present(
    outcome === 'not determined' && (error === null ? 'no error known' : neededText(needed)),
    asNear.length > 0 && `as near to ${plural(asNear.length, 'other row')}`,
  )
  return details.length === 0 ? outcome : `${outcome} (${details.join('; ')})`
}

const neededText = (questions: number | null | undefined): string =>
  questions == null ? "the paper's noise is too large" : `needs ${plural(questions, 'question')}`

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

/** Context sizes of our rows, where the paper's outputs are among them or a claim compares gains. */
export function contextTables(paper: PaperTable, runs: ReadonlyMap<string, RunResult>): readonly TitledTable[] {
  if (Object.values(paper.rows).every(({ recorded }) => !recorded) && gainMethods(paper).size === 0) return []
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

/** Largest mean context of rows whose gains are compared, over the smallest. */
const maxContextRatio = 1.1

/** One note per run whose rows, in a claim on gains, read unequal amounts of text. */
export function contextNotes(paper: PaperTable, runs: ReadonlyMap<string, RunResult>): readonly string[] {
  const methods = gainMethods(paper)
  return tablesOf(paper, runs).flatMap(({ run, rows }) => {
    const sizes = rows.flatMap((row) => {
      const { method, contextTokens } = row
      return methods.has(method) && contextTokens !== null ? [{ name: rowName(row), tokens: contextTokens }] : []
    })
    const tokens = sizes.map((size) => size.tokens)
    if (tokens.length === 0 || Math.max(...tokens) <= maxContextRatio * Math.min(...tokens)) return []
    const list = sizes.map((size) => `${size.name} ${size.tokens.toFixed(0)}`).join(', ')
    return [`${run}: mean context tokens differ by more than 10 %: ${list}. A gain may come from the amount of text.`]
  })
}

/** The methods of the rows whose gains a claim compares. */
const gainMethods = ({ claims, rows }: PaperTable): ReadonlySet<string> =>
  new Set(
    claims.flatMap((claim) => ('gain' in claim ? rowsInClaim(claim).flatMap((name) => rows[name]?.method ?? []) : [])),
  )

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

/** Reasons for missing outcomes, without duplicates. */
export const reasonsOf = (
  entries: readonly Pick<Compared | JudgedClaim, 'outcome' | 'reason'>[],
): readonly string[] => [
  ...new Set(entries.flatMap(({ outcome, reason }) => (reason === undefined ? [] : [`${outcome}: ${reason}`]))),
]

/** How outcomes of cells come about, one sentence per line. */
export const outcomeNotes: readonly string[] = [
  'Outcomes of scores come from two one-sided t tests against the tolerance (p <= .05, CR2).',
  'Equivalent: our value is within the tolerance. Different: the 95 % interval of the difference lies outside of it.',
  'Not determined: neither is shown; the questions named would show equal values with 80 % power.',
  "The paper's error is assumed to be ours, scaled to its number of questions, plus the variance of its runs.",
  'As near: other rows of the paper with no worse outcome for our value.',
  'Tokens are compared with the tolerance, without a test.',
]

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
