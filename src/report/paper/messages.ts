import { groupBy } from '../../basics/collections.ts'
import { plural, present } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import type { Phase } from '../../types.ts'
import { alpha } from '../compare/compare-pair.ts'
import { isRow } from '../compare/rows-to-compare.ts'
import { formatPairedDifference, pText } from '../render/notes-on-runs.ts'
import { tableOf, type TextColumn, type TextTable } from '../render/text-table.ts'
import type { TableRow } from '../table/table.ts'
import type { Compared, JudgedTest } from './compare-cells.ts'
import type { JudgedClaim, JudgedPair } from './judge-claims.ts'
import type { RunResults } from './our-cells.ts'
import { columnOf } from './paper-table.ts'
import type { PaperTable } from './schema.ts'

export interface TitledTable {
  readonly title: string
  readonly table: TextTable
}

/** No table without records. */
const titledTable = <T>(
  title: string,
  records: readonly T[],
  columns: readonly (TextColumn<T> | false)[],
): readonly TitledTable[] => (records.length === 0 ? [] : [{ title, table: tableOf(records, columns) }])

/** The paper's cells beside ours, one table per column of which a run is there. */
export const cellTables = (paper: PaperTable, cells: readonly Compared[]): readonly TitledTable[] =>
  Array.from(groupBy(cells, ({ column }) => column)).flatMap(([name, columnCells]) => {
    if (columnCells.every(({ outcome }) => outcome === 'not run')) return []
    const { unit, tolerance } = columnOf(paper, name)
    const { unitName, digits } = units[unit]
    const format = (value: number | null) => value?.toFixed(digits) ?? '–'
    const margin = typeof tolerance === 'number' ? `±${format(tolerance)}` : tolerance.replace(/ ?%/, ' %')
    return titledTable(`${name}, ${unitName}; tolerance ${margin}`, columnCells, [
      { title: 'row', cell: ({ row }) => row },
      { title: 'paper', cell: (cell) => `${format(cell.paper)}${cell.isSecondHand ? ' (second-hand)' : ''}` },
      { title: 'ours', cell: ({ ours, error }) => `${format(ours)}${error === null ? '' : ` ±${format(error)}`}` },
      {
        title: 'difference',
        cell: ({ difference }) => `${difference !== null && difference >= 0 ? '+' : ''}${format(difference)}`,
      },
      { title: 'outcome', cell: outcomeText },
      columnCells.some(({ variance }) => variance) && {
        title: 'σ² of runs: paper / ours',
        cell: ({ variance }) => `${varianceText(variance?.paper)} / ${varianceText(variance?.ours)}`,
      },
    ])
  })

/** Names and decimal places of units. */
const units = {
  percent: { unitName: '%', digits: 2 },
  fraction: { unitName: 'fractions', digits: 4 },
  thousands: { unitName: 'thousand tokens', digits: 1 },
  number: { unitName: 'numbers', digits: 2 },
  count: { unitName: 'counts', digits: 1 },
}

/** The outcome of a cell, and the questions that would determine it. */
function outcomeText({ outcome, needed, error }: Compared) {
  if (outcome !== 'not determined') return outcome
  if (error === null) return `${outcome} (no error known)`
  return `${outcome} (${needed == null ? "the paper's noise is too large" : `needs ${plural(needed, 'question')}`})`
}

function varianceText(value: number | null | undefined) {
  if (value == null) return '–'
  return value === 0 || value >= 0.01 ? String(Number(value.toPrecision(3))) : value.toExponential(2)
}

/** A claim in three lines: what the paper says, our runs, the paper's own numbers. */
export const claimLines = (claim: JudgedClaim): readonly string[] => [
  `${claim.claim} (${claim.place})`,
  `  our runs: ${ourRuns(claim)}`,
  `  paper's numbers: ${claim.printed}`,
]

function ourRuns({ outcome, ourOutcome, reason, pairs }: JudgedClaim) {
  const count = (kind: JudgedPair['outcome']) => pairs.filter((pair) => pair.outcome === kind).length
  const [pair] = pairs
  return present(
    outcome,
    ourOutcome !== undefined && `our numbers alone: ${ourOutcome}`,
    pair === undefined && reason,
    pairs.length === 1 &&
      pair &&
      `${pair.statement}: ${amountOf(pair)}${pair.test === 'none' ? '' : `, p ${pOf(pair)}`}`,
    pairs.length > 1 &&
      `${count('supported')} of ${pairs.length} pairs supported, ${count('contradicted')} contradicted`,
  ).join('; ')
}

/** The pairs of every claim. */
export const claimTables = (claims: readonly JudgedClaim[]): readonly TitledTable[] =>
  claims.flatMap(({ claim, pairs }) =>
    titledTable(claim, pairs, [
      { title: 'pair', cell: ({ statement }) => statement },
      new Set(pairs.map(({ column }) => column)).size > 1 && { title: 'column', cell: ({ column }) => column },
      { title: 'difference', cell: amountOf },
      { title: 'higher : lower', cell: (pair) => (pair.test === 'none' ? '–' : `${pair.win} : ${pair.loss}`) },
      { title: 'questions', cell: (pair) => (pair.test === 'none' ? '–' : pair.questions) },
      { title: 'adjusted p', cell: pOf },
      { title: 'outcome', cell: ({ outcome }) => outcome },
    ]),
  )

/** A difference in fractions with its 95 % interval, in tokens, or a ratio. */
function amountOf(pair: JudgedPair) {
  if (pair.test === 'none') return pair.difference.toLocaleString('en-US', { maximumFractionDigits: 2 })
  const { difference, low, high } = pair
  const withSign = (value: number) => `${value < 0 ? '' : '+'}${value.toFixed(4)}`
  return `${withSign(difference)}${low === null || high === null ? '' : ` (${withSign(low)} to ${withSign(high)})`}`
}

/** Adjusted p, or why it cannot reach the level; tokens are not tested. */
function pOf(pair: JudgedPair) {
  if (pair.test === 'none') return '–'
  const { pAdjusted, smallestP, questions, clusters, test } = pair
  if (smallestP > alpha)
    return `cannot reach ${alpha} with ${plural(clusters, clusters < questions ? 'cluster' : 'question')}`
  if (pair.p === null) return '–'
  return `${pAdjusted < 0.0001 ? '< 0.0001' : pAdjusted.toFixed(4)} (${test})`
}

/** Tests between runs that the paper states. */
export const testTables = (tests: readonly JudgedTest[]): readonly TitledTable[] =>
  titledTable('tests between runs (Mann–Whitney U, one-sided; ours with Holm)', tests, [
    { title: 'pair', cell: ({ row, than }) => `${row} above ${than}` },
    { title: 'p printed', cell: ({ p }) => p ?? '–' },
    {
      title: "p of the paper's runs",
      cell: ({ ofItsRuns, agrees }) => `${pText(ofItsRuns)}${agrees ? '' : ': not what is printed'}`,
    },
    {
      title: 'ours, paired over questions',
      cell: ({ ours }) => (ours?.paired ? formatPairedDifference(ours.paired) : '–'),
    },
    { title: 'ours, between runs', cell: ({ ours }) => (ours ? `U = ${ours.u}, p ${pText(ours.pAdjusted)}` : '–') },
  ])

/** Milliseconds of model calls a question (cached calls as first measured), where the paper reports latency. */
export function latencyTables({ latency, rows }: PaperTable, runs: RunResults): readonly TitledTable[] {
  if (latency === undefined) return []
  const methods = Object.values(rows).map(({ method }) => method)
  return [...runs].flatMap(([run, result]) => {
    if (!('table' in result)) return []
    const { table } = result
    const timeOf = (row: TableRow, phase: Phase) => {
      const { calls = 0, milliseconds = 0 } = table.usage.find((cell) => isRow(cell, row) && cell.phase === phase) ?? {}
      return calls === 0 ? 'no call' : (milliseconds / row.trials).toFixed(1)
    }
    const tableRows = table.rows.filter(({ method }) => methods.includes(method))
    return titledTable(`${run}: milliseconds of model calls a question (paper: ${latency})`, tableRows, [
      { title: 'row', cell: rowName },
      { title: 'retrieve', cell: (row) => timeOf(row, 'retrieve') },
      { title: 'answer', cell: (row) => timeOf(row, 'answer') },
    ])
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
  'Equivalent: within the tolerance. Different: the 95 % interval of the difference lies outside.',
  'Not determined: neither; the questions named would show equal values with 80 % power.',
  "The paper's error: ours, scaled to its number of questions, plus the variance of its runs.",
  'Tokens are compared with the tolerance, without a test.',
]
