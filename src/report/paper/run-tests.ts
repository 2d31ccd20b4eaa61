import { holm } from '../../math/statistics/corrections.ts'
import { mannWhitney } from '../../math/statistics/rank-tests.ts'
import { rowName } from '../../text/names.ts'
import type { RunsTest } from '../table/runs.ts'
import type { RunResults } from './our-cells.ts'
import { columnOf, rowOf } from './paper-table.ts'
import type { PaperTable } from './schema.ts'

type PaperTest = PaperTable['tests'][number]

/** A Mann–Whitney test between runs that a paper reports, recomputed from its printed runs, and ours. */
export interface JudgedTest extends Pick<PaperTest, 'says' | 'row' | 'than'> {
  /** As printed; null: not printed. */
  readonly stated: number | null
  /** From the single runs that the paper prints. */
  readonly ofItsRuns: number
  /** Whether both agree. */
  readonly agrees: boolean
  /** `pAdjusted`: Holm over the tests that our runs allow. Null without our runs. */
  readonly ours: RunsTest | null
}

export function judgeTests(paper: PaperTable, runs: RunResults): readonly JudgedTest[] {
  const ours = paper.tests.map((test) => ourTest(paper, runs, test))
  const adjustedPs = holm(ours.flatMap((test) => test?.pAbove ?? []))
  return paper.tests.map(({ says, column, row, than, p: stated, decimals }, index) => {
    const perRun = (name: string): readonly number[] =>
      paper.cells.find((cell) => cell.row === name && cell.column === column)?.perRun ?? []
    const { p } = mannWhitney(perRun(row), perRun(than), { alternative: 'greater' })
    const agrees = stated === null || Math.abs(p - stated) <= 10 ** -decimals / 2
    const test = ours[index]
    const pAdjusted = test && adjustedPs.shift()
    return { says, row, than, stated, ofItsRuns: p, agrees, ours: test ? { ...test, pAdjusted: pAdjusted ?? 1 } : null }
  })
}

function ourTest(paper: PaperTable, runs: RunResults, { column: name, row, than }: PaperTest): RunsTest | undefined {
  const column = columnOf(paper, name)
  const result = runs.get(column.run)
  if (!('metric' in column) || !result || !('table' in result)) return undefined
  const labelOf = (label: string): string => {
    const { method = '', variant } = rowOf(paper, label)
    return rowName({ method, variant })
  }
  return result.table.runs
    ?.find(({ scorer, metric }) => scorer === column.scorer && metric === column.metric)
    ?.tests.find(({ above, below }) => above === labelOf(row) && below === labelOf(than))
}
