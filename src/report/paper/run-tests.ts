import { rowName } from '../../text/names.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { auditPValues } from '../audit/cells.ts'
import { pairedText, pOf } from '../render/notes-on-runs.ts'
import type { RunsTest } from '../runs/runs.ts'
import type { Comparison } from './comparison.ts'
import type { Ran } from './compare.ts'
import type { PaperTable } from './paper-table.ts'

/** A test between runs that a paper states: its p as printed and as its own runs give it, and that of our runs; null where there is none of ours. */
export interface JudgedTest {
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
  const found = auditPValues(paper).map(({ says, column, row, than, stated, p, verdict }) => ({
    ...{ says, row, than, stated, ofItsRuns: p, agrees: verdict !== 'disagrees' },
    ours: ourTest(paper, runs, { column, row, than }),
  }))
  const made = found.flatMap(({ ours }) => (ours === null ? [] : [ours]))
  const adjusted = new Map(holm(made.map(({ p }) => p)).map((p, index) => [made[index], p]))
  return found.map((one) => ({
    ...one,
    ours: one.ours && { ...one.ours, pAdjusted: adjusted.get(one.ours) ?? one.ours.pAdjusted },
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
  const [above, below] = [rows[row], rows[than]].map((one) =>
    one?.method === undefined ? undefined : rowName({ method: one.method, variant: one.variant }),
  )
  return (
    ran.table.runs
      ?.find(({ scorer, metric }) => scorer === column.scorer && metric === column.metric)
      ?.tests.find((test) => test.above === above && test.below === below) ?? null
  )
}

/** The tests as a grid; none where the paper states none. */
export function testsShown(tests: readonly JudgedTest[]): readonly Comparison[] {
  if (tests.length === 0) return []
  const rows = tests.map(({ row, than, stated, ofItsRuns, agrees, ours }) => [
    `${row} above ${than}`,
    stated === null ? '–' : String(stated),
    `${pOf(ofItsRuns)}${agrees ? '' : ': not what is printed'}`,
    ours === null ? '–' : `U = ${ours.u}, p ${pOf(ours.pAdjusted)}`,
    ours?.paired ? pairedText(ours.paired) : '–',
  ])
  return [
    {
      title: 'tests between runs (Mann–Whitney U, one-sided; ours with Holm): the runs share their questions',
      grid: {
        head: ['pair', 'p printed', "p of the paper's runs", 'ours', 'ours, paired over questions'],
        rows: rows.map((row) => row.map((text) => ({ text }))),
      },
    },
  ]
}
