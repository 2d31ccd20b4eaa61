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
import { type Compared, type Ran } from './compare.ts'
import type { JudgedClaim, JudgedPair } from './judge-claims.ts'
import { rowNamed, type PaperColumn, type PaperTable } from './paper-table.ts'
import { isRow } from '../compare/rows-to-compare.ts'

/** The cells of one column of a paper, as text. */
export interface Comparison {
  readonly title: string
  readonly grid: TextTable
}

/** Our cells beside the paper's, a grid for each column of the paper. */
export const comparisons = (paper: PaperTable, cells: readonly Compared[]): readonly Comparison[] =>
  Object.entries(paper.columns).flatMap(([name, column]) => {
    const compared = cells.filter((cell) => cell.column === name)
    const shown = (value: number | null): string => (value === null ? '–' : value.toFixed(digits[column.unit]))
    const grid = tableOf(compared, [
      { title: 'row', cell: ({ row }) => row },
      { title: 'paper', cell: (cell) => shown(cell.paper) },
      { title: 'ours', cell: ({ ours, error }) => (error === null ? shown(ours) : `${shown(ours)} ±${shown(error)}`) },
      {
        title: 'difference',
        cell: ({ difference }) => `${difference !== null && difference >= 0 ? '+' : ''}${shown(difference)}`,
      },
      {
        title: 'verdict',
        cell: (cell) =>
          cell.tolerance === null ? cell.verdict : `${cell.verdict} (±${shown(cell.tolerance)}${needed(cell)})`,
      },
      { title: 'as near', cell: ({ asNear = [] }) => asNear.join(', ') || '–' },
      compared.some(({ perQuestion }) => perQuestion) && {
        title: 'tokens a question: paper / ours',
        cell: ({ perQuestion }) => both(perQuestion, (count) => count.toLocaleString('en-US')),
      },
      compared.some(({ variance }) => variance) && {
        title: 'σ² of runs: paper / ours',
        cell: ({ variance }) => both(variance, varianceText),
      },
    ])
    return compared.length === 0 ? [] : [{ title: `${name}, ${unitNames[column.unit]}`, grid }]
  })

/** A number of the paper and ours, a dash for none. */
function both(
  numbers: { readonly paper: number | null; readonly ours: number | null } | undefined,
  textOf: (value: number) => string,
): string {
  const shown = (value: number | null | undefined): string => (value == null ? '–' : textOf(value))
  return `${shown(numbers?.paper)} / ${shown(numbers?.ours)}`
}

const varianceText = (value: number): string =>
  value === 0 || value >= 0.01 ? String(Number(value.toPrecision(3))) : value.toExponential(2)

/**
 * Milliseconds of calls to models a question, those of the cache as when they were made, where the paper has latencies.
 */
export function latenciesShown(paper: PaperTable, runs: ReadonlyMap<string, Ran>): readonly Comparison[] {
  const { latency } = paper
  if (latency === undefined) return []
  return tablesOf(paper, runs).map(({ run, rows, usage }) => {
    const timeOf = (row: TableRow, phase: Phase): string => {
      const { calls = 0, milliseconds = 0 } = usage.find((one) => isRow(one, row) && one.phase === phase) ?? {}
      return calls === 0 ? 'no call' : (milliseconds / row.trials).toFixed(1)
    }
    return {
      title: `${run}: milliseconds of calls to models a question (the paper's words on latency: ${latency})`,
      grid: tableOf(rows, [
        { title: 'row', cell: rowName },
        { title: 'retrieve', cell: (row) => timeOf(row, 'retrieve') },
        { title: 'answer', cell: (row) => timeOf(row, 'answer') },
      ]),
    }
  })
}

/** The sizes of contexts of our rows and of recorded ones, where outputs of the paper are among the rows. */
export function contextsShown(paper: PaperTable, runs: ReadonlyMap<string, Ran>): readonly Comparison[] {
  if (Object.values(paper.rows).every(({ recorded }) => !recorded)) return []
  return tablesOf(paper, runs).map(({ run, rows }) => ({
    title: `${run}: contexts, in the mean of the questions; tokens are those of the run's tokenizer`,
    grid: tableOf(rows, [
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

/** Of each run that was made, its usage and those of its rows that the paper has. */
function tablesOf({ runs: asked, rows: wanted }: PaperTable, runs: ReadonlyMap<string, Ran>) {
  const methods = Object.values(wanted).map(({ method }) => method)
  return Object.keys(asked).flatMap((run) => {
    const ran = runs.get(run)
    if (!ran || !('table' in ran)) return []
    const { rows, usage } = ran.table
    return [{ run, usage, rows: rows.filter(({ method }) => methods.includes(method)) }]
  })
}

/**
 * The claims with their verdicts, and a grid of pairs: all of a few, else those that are not as claimed.
 */
export const claimsShown = (claims: readonly JudgedClaim[]): readonly Comparison[] =>
  claims.map(({ claim, place, verdict, here, reason, columns, pairs, printed }) => {
    const shown = pairs.length <= mostPairs ? pairs : pairs.filter((pair) => pair.verdict !== 'upheld')
    const names = [...new Set(pairs.map((pair) => pair.column))]
    const about = present(
      place,
      names.length === 1 && names,
      columns !== undefined && `judged on ${columns.judged} of ${plural(columns.of, 'column')}`,
      pairs.length > mostPairs && `${pairs.length - shown.length} of ${plural(pairs.length, 'pair')} upheld`,
      pairs.length === 0 && reason !== undefined && reason,
      `the paper's own cells: ${printed}`,
    )
    return {
      title: `${verdict}${here === undefined ? '' : `, ${here} by our numbers alone`}: ${claim} (${about.join('; ')})`,
      grid: tableOf(shown, [
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

/** A difference in fractions with its interval at 95 %, one of tokens, or a quotient. */
function amountOf({ difference, low, high, test }: JudgedPair): string {
  if (test === 'none') return difference.toLocaleString('en-US', { maximumFractionDigits: 2 })
  const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(4)}`
  return `${signed(difference)}${low === null || high === null ? '' : ` (${signed(low)} to ${signed(high)})`}`
}

/** The p of a pair, or that it could not have reached the level; tokens are counted and not tested. */
function adjustedP({ pAdjusted, smallestP, questions, clusters, test }: JudgedPair): string {
  if (smallestP > alpha)
    return `cannot reach ${alpha} with ${plural(clusters, clusters < questions ? 'cluster' : 'question')}`
  if (pAdjusted === null) return '–'
  return `${pAdjusted < 0.0001 ? '< 0.0001' : pAdjusted.toFixed(4)} (${test})`
}

/** Why cells or claims have no verdict, each reason once. */
export const reasonsOf = (judged: readonly Pick<Compared | JudgedClaim, 'verdict' | 'reason'>[]): readonly string[] => [
  ...new Set(judged.flatMap(({ verdict, reason }) => (reason === undefined ? [] : [`${verdict}: ${reason}`]))),
]

/** What stands below the cells of scores. */
export const verdictNote =
  "Verdicts of scores: equivalent where two one-sided t tests (p <= .05, CR2) find our value within the tolerance of the paper's; different where the 95 % interval of the difference lies outside of it; else it cannot be told, and what would tell equal values with a power of 80 % stands beside. The paper's error is taken to be ours, scaled to its number of questions, as if its questions were others; a variance of its runs is added. As near: other rows of the paper that our value is no farther from by the same tests. Tokens are counted, and their verdict is the tolerance alone."

function needed({ verdict, needed: questions, error }: Compared): string {
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

/** A test between runs that a paper states: its p, that of its own runs, and ours, null where there is none. */
interface JudgedTest {
  readonly says: string
  readonly row: string
  readonly than: string
  /** Null where the paper prints none. */
  readonly stated: number | null
  /** Of the values of single runs that the paper prints. */
  readonly ofItsRuns: number
  /** False where what is printed is not what its runs give. */
  readonly agrees: boolean
  /** `pAdjusted` by Holm over the tests that the paper states and our runs could make. */
  readonly ours: RunsTest | null
}

/** The tests between runs that a paper states, in its order. */
export function judgeTests(paper: PaperTable, runs: ReadonlyMap<string, Ran>): readonly JudgedTest[] {
  const found = paper.tests.map(({ says, column, row, than, p: stated, decimals }) => {
    const perRun = (name: string): readonly number[] =>
      paper.cells.find((cell) => cell.row === name && cell.column === column)?.perRun ?? []
    const { p } = mannWhitney(perRun(row), perRun(than), { alternative: 'greater' })
    return {
      says,
      row,
      than,
      stated,
      ofItsRuns: p,
      agrees: stated === null || Math.abs(p - stated) <= 10 ** -decimals / 2,
      ours: ourTest(paper, runs, { column, row, than }),
    }
  })
  const made = found.flatMap(({ ours }) => (ours === null ? [] : [ours]))
  const adjusted = new Map(holm(made.map(({ pAbove }) => pAbove)).map((p, index) => [made[index], p]))
  return found.map((one) => ({
    ...one,
    ours: one.ours && { ...one.ours, pAdjusted: valueOf(adjusted, one.ours) },
  }))
}

function ourTest(
  { columns, rows }: PaperTable,
  runs: ReadonlyMap<string, Ran>,
  { column: name, row, than }: { readonly column: string; readonly row: string; readonly than: string },
): RunsTest | null {
  const column = columns[name]
  const ran = column && runs.get(column.run)
  if (!column || !('metric' in column) || !ran || !('table' in ran)) return null
  const [above, below] = [row, than].map((one) => {
    const { method, variant } = rowNamed({ rows }, one)
    return method === undefined ? undefined : rowName({ method, variant })
  })
  const own = ran.table.runs?.find(({ scorer, metric }) => scorer === column.scorer && metric === column.metric)
  return own?.tests.find((test) => test.above === above && test.below === below) ?? null
}

/** The tests as a grid; none where the paper states none. */
export const testsShown = (tests: readonly JudgedTest[]): readonly Comparison[] =>
  tests.length === 0
    ? []
    : [
        {
          title:
            'tests between runs (Mann–Whitney U, one-sided as the paper states them; ours with Holm): the runs share their questions',
          grid: tableOf(tests, [
            { title: 'pair', cell: ({ row, than }) => `${row} above ${than}` },
            { title: 'p printed', cell: ({ stated }) => stated ?? '–' },
            {
              title: "p of the paper's runs",
              cell: ({ ofItsRuns, agrees }) => `${pText(ofItsRuns)}${agrees ? '' : ': not what is printed'}`,
            },
            {
              title: 'ours, paired over questions',
              cell: ({ ours }) => (ours?.paired ? formatPairedDifference(ours.paired) : '–'),
            },
            {
              title: 'ours, between runs',
              cell: ({ ours }) => (ours === null ? '–' : `U = ${ours.u}, p ${pText(ours.pAdjusted)}`),
            },
          ]),
        },
      ]
