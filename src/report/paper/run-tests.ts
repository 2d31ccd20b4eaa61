import { holm } from '../../math/statistics/corrections.ts'
import { mannWhitney } from '../../math/statistics/rank-tests.ts'
import { rowName } from '../../text/names.ts'
import type { RunsTest } from '../table/runs.ts'
import type { RunResults } from './our-cells.ts'
import { columnOf, rowOf } from './paper-table.ts'
import type { PaperTable } from './schema.ts'

type PaperTest = PaperTable['tests'][number]

/** A Mann–Whitney test between runs that a paper reports, recomputed from its printed runs, and ours. */
export interface JudgedTest extends PaperTest {
  /** From the single runs that the paper prints, and whether that is what it states. */
  readonly ofItsRuns: number
  readonly agrees: boolean
  /** `pAdjusted`: Holm over the tests that our runs allow. Null without our runs. */
  readonly ours: RunsTest | null
}

export function judgeTests(paper: PaperTable, runs: RunResults): readonly JudgedTest[] {
  const tests = paper.tests.map((test) => ({ test, match: ourTest(paper, runs, test) }))
  const adjustedPs = holm(tests.flatMap(({ match }) => match?.pAbove ?? []))
  return tests.map(({ test, match }) => {
    const perRun = (name: string): readonly number[] =>
      paper.cells.find((cell) => cell.row === name && cell.column === test.column)?.perRun ?? []
    const { p } = mannWhitney(perRun(test.row), perRun(test.than), { alternative: 'greater' })
    const agrees = test.p === null || Math.abs(p - test.p) <= 10 ** -test.decimals / 2
    return { ...test, ofItsRuns: p, agrees, ours: match ? { ...match, pAdjusted: adjustedPs.shift() ?? 1 } : null }
  })
}

function ourTest(paper: PaperTable, runs: RunResults, { column: name, row, than }: PaperTest): RunsTest | undefined {
  const column = columnOf(paper, name)
  const result = runs.get(column.run)
  if (!('metric' in column) || !result || !('table' in result)) return undefined
  const { scorer, metric } = column
  const [above, below] = [row, than].map((label) => labelOf(paper, label))
  return result.table.runs
    ?.find((candidate) => candidate.scorer === scorer && candidate.metric === metric)
    ?.tests.find((test) => test.above === above && test.below === below)
}

function labelOf(paper: PaperTable, name: string): string {
  const { method = '', variant } = rowOf(paper, name)
  return rowName({ method, variant })
}
