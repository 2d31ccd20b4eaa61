import { groupBy } from '../../basics/collections.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { matchQuestions, type QuestionIds } from '../diff/question-changes.ts'
import { readRun, type DiffSide, type ReadRun } from '../gather/outcomes.ts'
import { columnsOf } from '../render/columns.ts'
import type { Table } from '../table/table.ts'
import type { NoScore, PageMetric } from './page-data.ts'

export interface PageRun extends DiffSide {
  readonly folder: string
  readonly table: Table
  /** Pages of `gembench graph`, with addresses relative to the report. */
  readonly graphs: readonly Readonly<Record<'row' | 'corpus' | 'address', string>>[]
}

/** Questions in trial order; scores by metric, then row, first run first. */
export async function readQuestionScores(runs: readonly PageRun[]) {
  const read: ReadRun[] = []
  for (const run of runs) read.push(await readRun(run, run.manifest.methods))
  const metrics = metricsOf(runs)
  const outcomes = metrics.map((metric) =>
    runs.flatMap(({ manifest }, run) =>
      manifest.methods.map((row) => ({ run, byQuestion: read[run]?.outcomesOf(row, metric) })),
    ),
  )
  return {
    questions: matchQuestions(read, new Set(runs.map(({ manifest }) => manifest.dataset.checksum)).size > 1),
    metrics,
    scoresOf: (ids: QuestionIds): readonly (readonly (number | NoScore)[])[] =>
      outcomes.map((rows) =>
        rows.map(({ run, byQuestion }): number | NoScore => {
          const outcome = byQuestion?.get(ids[run] ?? '')
          if (!outcome) return 'not asked'
          if (outcome.score !== null) return Math.round(outcome.score * 1e4) / 1e4
          return outcome.failed ? 'failed' : 'declined'
        }),
      ),
  }
}

/** Metrics over all questions, without duplicates, that of the recommendation or comparison first. */
function metricsOf(runs: readonly PageRun[]): readonly PageMetric[] {
  const metrics = runs.flatMap(({ manifest, table }) =>
    columnsOf(manifest, table)
      .filter(({ subset }) => subset === 'all')
      .map(({ scorer, metric, label, unit }): PageMetric => {
        const record = manifest.scorers.find((candidate) => candidate.scorer === scorer)
        const range = rangeOf(metric, record?.ranges)
        const right = unit === 'percent' ? (range[0] + range[1]) / 2 : null
        return { scorer, metric, name: label, range, right }
      }),
  )
  const byName = groupBy(metrics, ({ scorer, metric }) => JSON.stringify([scorer, metric]))
  const { decision, comparison } = runs[0]?.table ?? {}
  const first = decision ?? comparison
  const order = ({ scorer, metric }: PageMetric) => (scorer === first?.scorer && metric === first.metric ? 0 : 1)
  const distinctMetrics = Array.from(byName.values(), ([metric]) => metric)
  return distinctMetrics.sort((a, b) => order(a) - order(b))
}
