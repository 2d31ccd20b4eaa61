import { valueOf } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
import { rangeOf } from '../../basics/metrics.ts'
import type { Manifest, ScoreLine, ScorerRecord } from '../../records.ts'
import { byCodePoint } from '../../text/characters.ts'
import { runOfRow } from '../synthetic.ts'
import { estimate, type Cell, type Estimate } from './estimate.ts'
import { observations, questionNumbers, scoredRow } from './observations.ts'
import type { Observations, QuestionScores, ScoredRow } from './observations.ts'
import { settled, type Trials } from './trials.ts'
import { counts, usageSums } from './usage.ts'

/** Scores by row, scorer and question. */
export type Scores = Awaited<ReturnType<typeof gatherScores>>

/** Aggregates scores.jsonl by row and scorer; failed trials count as failed scores. */
export async function gatherScores(
  manifest: Manifest,
  lines: AsyncIterable<ScoreLine>,
  { failures, rows: summaries }: Pick<Trials, 'failures' | 'rows'>,
  questions = questionNumbers(),
) {
  const groups = memoise((_key: string) => new Map<string, Group>())
  const groupsOf: GroupsOf = (methodId, scorerId) => groups(`${methodId} ${scorerId}`)
  const groupsIn = (methodId: string, scorerId: string, subsets: readonly string[] = []) => {
    const bySubset = groupsOf(methodId, scorerId)
    return [...new Set(['all', ...subsets])].map((subset) => {
      const group = bySubset.get(subset) ?? emptyGroup()
      bySubset.set(subset, group)
      return group
    })
  }
  const usage = usageSums()
  const reasons = memoise((_methodId: string) => counts())
  const scorers = new Set(manifest.scorers.map(({ id }) => id))
  const rows = new Set(manifest.methods.map(({ id }) => id))
  for await (const line of settled(lines, ({ trial, scorerId, run }) => `${trial} ${scorerId} ${run}`)) {
    const { methodId, scorerId, failure, question, cluster } = line
    if (!scorers.has(scorerId) || !rows.has(methodId)) continue
    usage.add(methodId, 'judge', line.usage)
    if (failure) reasons(methodId).add(failure.message)
    const number = questions.numberOf(question, cluster)
    for (const group of groupsIn(methodId, scorerId, line.subsets)) addTo(group, line, number)
  }
  const judgeRuns = new Map(manifest.methods.map((row) => [row.id, runOfRow(manifest, row).judgeRuns]))
  for (const { methodId, question } of failures) {
    const number = questions.numberOf(question.id, question.cluster)
    for (const { id, kinds, judge, failures: isDiagnosis } of manifest.scorers) {
      if (isDiagnosis || !kinds.includes(question.reference.kind)) continue
      for (const group of groupsIn(methodId, id, question.tags)) {
        group.failed += judge ? valueOf(judgeRuns, methodId) : 1
        group.failedQuestions.add(number)
      }
    }
  }
  // where each repeat has its own index
  const hasOwnIndexes = (methodId: string) => summaries.get(methodId)?.indexes !== undefined
  return {
    cells: cellsOf(manifest, groupsOf, (scores, methodId) =>
      estimate(scores, questions.clusterOf, hasOwnIndexes(methodId)),
    ),
    questions,
    of: (methodId: string, scorerId: string, metric: string, subset = 'all'): ScoredRow => {
      const group = groupsOf(methodId, scorerId).get(subset)
      const byQuestion = () => group?.metrics.get(metric)?.byQuestion() ?? []
      return scoredRow(byQuestion, hasOwnIndexes(methodId), group?.failedQuestions)
    },
    usage: usage.of,
    // reasons of failed scores of successful trials
    failures: (methodId: string) => reasons(methodId).all(),
    // scorers with skipped answers: the largest number of any run, and totals by reason
    skipped: (methodId: string) =>
      manifest.scorers.flatMap(({ id, scorer }) => {
        const group = groupsOf(methodId, id).get('all')
        const skipped = group?.skipped.most() ?? 0
        if (!group || skipped === 0) return []
        return [{ scorer, skipped, of: group.answers.most(), reasons: group.reasons.all() }]
      }),
  }
}

type GroupsOf = (methodId: string, scorerId: string) => Map<string, Group>

type Group = ReturnType<typeof emptyGroup>

/** Scores of a row, scorer and subset. */
const emptyGroup = () => ({
  metrics: new Map<string, Observations>(),
  failedQuestions: new Set<number>(),
  // answers by run: all, and skipped ones with the reasons
  answers: counts(),
  skipped: counts(),
  reasons: counts(),
  failed: 0,
})

function addTo(
  group: Group,
  { repeat, run: judgeRun, metrics = {}, skipped, failure }: ScoreLine,
  question: number,
): void {
  const run = `${repeat}.${judgeRun}`
  group.answers.add(run)
  if (failure) {
    group.failed++
    group.failedQuestions.add(question)
  }
  if (skipped !== undefined) {
    group.skipped.add(run)
    group.reasons.add(skipped)
  }
  for (const [metric, value] of Object.entries(metrics)) {
    const values = group.metrics.get(metric) ?? observations()
    group.metrics.set(metric, values)
    values.add(question, repeat, judgeRun, value)
  }
}

/** Ordered by row, scorer, subset (`all` first) and metric (columns first). */
const cellsOf = (
  manifest: Manifest,
  groupsOf: GroupsOf,
  estimateOf: (scores: readonly QuestionScores[], methodId: string) => Estimate,
): readonly Cell[] =>
  manifest.methods.flatMap(({ id, method, variant, ...row }) =>
    manifest.scorers.flatMap((scorer) =>
      [...groupsOf(id, scorer.id)]
        .sort(([a], [b]) => Number(b === 'all') - Number(a === 'all') || byCodePoint(a, b))
        .flatMap(([subset, { metrics, failedQuestions, failed, skipped }]) =>
          metricsOf(scorer, metrics).map((metric): Cell => {
            const scores = metrics.get(metric)?.byQuestion() ?? []
            const range = rangeOf(metric, scorer.ranges)
            return {
              dataset: runOfRow(manifest, row).dataset.name,
              method,
              variant,
              scorer: scorer.scorer,
              metric,
              subset,
              ...withinRange(estimateOf(scores, id), range),
              ...bounds(scores, failedQuestions, range),
              failed,
              skipped: skipped.most(),
            }
          }),
        ),
    ),
  )

type Range = readonly [least: number, greatest: number]

/** Clips the interval to the range of the metric. */
function withinRange(summary: Estimate, [least, greatest]: Range) {
  const { mean, low, high } = summary
  if (mean === null || low === null || high === null || mean < least || mean > greatest) return summary
  return { ...summary, low: Math.max(low, least), high: Math.min(high, greatest) }
}

/** The mean if failed questions had the least or the greatest score; null for unbounded metrics. */
function bounds(
  scores: readonly QuestionScores[],
  failed: ReadonlySet<number>,
  [least, greatest]: Range,
): Pick<Cell, 'least' | 'greatest'> {
  const scoredQuestions = new Set(failed.size > 0 ? scores.map(({ question }) => question) : [])
  const missing = [...failed].filter((question) => !scoredQuestions.has(question)).length
  const n = scores.length + missing
  const total = scores.reduce((sum, { mean }) => sum + mean, 0)
  const meanWith = (end: number) => {
    const mean = (missing === 0 ? total : total + missing * end) / n
    return Number.isFinite(mean) ? mean : null
  }
  return { least: meanWith(least), greatest: meanWith(greatest) }
}

/** Metrics with scores, and those of columns even where all trials failed. */
function metricsOf({ columns }: ScorerRecord, metrics: ReadonlyMap<string, unknown>) {
  const columnMetrics = columns.flatMap(({ metric, shown: isShown }) => (isShown === false ? [] : [metric]))
  return [...new Set([...columnMetrics, ...[...metrics.keys()].sort(byCodePoint)])]
}
