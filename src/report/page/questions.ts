import { groupBy } from '../../basics/collections.ts'
import { rangeOf } from '../../basics/metrics.ts'
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

/** A question's id per run; undefined in runs without it. */
export type QuestionIds = readonly (string | undefined)[]

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

/** Matches questions of several runs by id, text and reference; `byText` ignores ids, for changed files. */
function matchQuestions(runs: readonly ReadRun[], byText: boolean): readonly QuestionIds[] {
  const idsByKey = new Map<string, (string | undefined)[]>()
  runs.forEach(({ questions }, run) => {
    const uses = new Map<string, number>()
    for (const [id, { digest }] of questions) {
      const use = uses.get(digest) ?? 0
      uses.set(digest, use + 1)
      const key = JSON.stringify([digest, byText ? use : id])
      const ids = idsByKey.get(key) ?? runs.map(() => undefined)
      ids[run] = id
      idsByKey.set(key, ids)
    }
  })
  return [...idsByKey.values()]
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
