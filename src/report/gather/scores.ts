import { rangeOf } from '../../basics/metrics.ts'
import type { Manifest, ScoreLine, ScorerRecord } from '../../records.ts'
import type { Usage } from '../../types.ts'
import { runOfRow } from '../synthetic.ts'
import { estimate, observations, questionNumbers } from './estimate.ts'
import type { Cell, Estimate, Observations, QuestionNumbers, QuestionScores } from './estimate.ts'
import type { Trials } from './trials.ts'
import { counts, type Counts, addUsage } from './usage.ts'

/** Skipped answers of a scorer: the largest number of any run, and totals by reason. */
export interface SkippedScores {
  readonly scorer: string
  readonly skipped: number
  readonly of: number
  readonly reasons: Readonly<Record<string, number>>
}

export interface Scores {
  readonly cells: readonly Cell[]
  readonly questions: QuestionNumbers
  /** Scores of a row by question, for all questions or a subset. */
  readonly byQuestion: (
    methodId: string,
    scorerId: string,
    metric: string,
    subset?: string,
  ) => readonly QuestionScores[]
  /** Questions with a failed score or trial. */
  readonly failedQuestions: (methodId: string, scorerId: string) => ReadonlySet<number>
  /** Whether each repeat has its own index. */
  readonly hasOwnIndexes: (methodId: string) => boolean
  /** By method id and phase. */
  readonly usage: ReadonlyMap<string, Usage>
  /** Reasons of failed scores of successful trials, by method id. */
  readonly failed: ReadonlyMap<string, Counts>
  /** By method id, in scorer order; empty where nothing was skipped. */
  readonly skipped: ReadonlyMap<string, readonly SkippedScores[]>
}

/** Aggregates scores.jsonl by row and scorer; failed trials count as failed scores. */
export async function gatherScores(
  manifest: Manifest,
  lines: AsyncIterable<ScoreLine>,
  { failures, rows: summaries }: Pick<Trials, 'failures' | 'rows'>,
  questions = questionNumbers(),
): Promise<Scores> {
  const groups = new Map<string, Group>()
  const groupOf = (methodId: string, scorer: string, subset: string): Group => {
    const key = JSON.stringify([methodId, scorer, subset])
    let group = groups.get(key)
    if (!group) groups.set(key, (group = emptyGroup(methodId, scorer, subset)))
    return group
  }
  const usage = new Map<string, Usage>()
  const addLine = (line: ScoreLine): void => {
    const key = `${line.methodId} judge`
    usage.set(key, addUsage(usage.get(key), line.usage))
    for (const subset of subsetsOf(line.subsets)) addTo(groupOf(line.methodId, line.scorerId, subset), line, questions)
  }
  const scorers = new Set(manifest.scorers.map(({ id }) => id))
  const rows = new Set(manifest.methods.map(({ id }) => id))
  const failed = new Map<string, ScoreLine>()

  for await (const line of lines) {
    if (!scorers.has(line.scorerId) || !rows.has(line.methodId)) continue
    const key = `${line.trial} ${line.scorerId} ${line.run}`
    if (line.failure) failed.set(key, line)
    else {
      failed.delete(key)
      addLine(line)
    }
  }
  const judgeRuns = new Map(manifest.methods.map((row) => [row.id, runOfRow(manifest, row).judgeRuns]))
  const failureReasons = new Map<string, Counts>()
  for (const line of failed.values()) {
    addLine(line)
    const reasons = failureReasons.get(line.methodId) ?? counts()
    reasons.add(line.failure?.message ?? '')
    failureReasons.set(line.methodId, reasons)
  }
  for (const { methodId, question, cluster, kind, tags } of failures) {
    const number = questions.numberOf(question, cluster)
    for (const scorer of manifest.scorers.filter(({ kinds, failures }) => !failures && kinds.includes(kind))) {
      const runs = scorer.judge ? (judgeRuns.get(methodId) ?? manifest.judgeRuns) : 1
      for (const subset of subsetsOf(tags)) {
        const group = groupOf(methodId, scorer.id, subset)
        group.failed += runs
        group.failedQuestions.add(number)
      }
    }
  }
  const all = [...groups.values()]
  const groupAt = (methodId: string, scorerId: string, subset: string): Group | undefined =>
    groups.get(JSON.stringify([methodId, scorerId, subset]))
  const hasOwnIndexes: Scores['hasOwnIndexes'] = (methodId) => summaries.get(methodId)?.indexes !== undefined
  return {
    cells: cellsOf(manifest, all, { questions, hasOwnIndexes }),
    questions,
    byQuestion: (methodId, scorerId, metric, subset = 'all') =>
      groupAt(methodId, scorerId, subset)?.metrics.get(metric)?.byQuestion() ?? [],
    failedQuestions: (methodId, scorerId) => groupAt(methodId, scorerId, 'all')?.failedQuestions ?? new Set(),
    hasOwnIndexes,
    usage,
    failed: failureReasons,
    skipped: skippedOf(manifest, all),
  }
}

type Group = ReturnType<typeof emptyGroup>

const emptyGroup = (methodId: string, scorer: string, subset: string) => ({
  methodId,
  scorer,
  subset,
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
  { question, cluster, repeat, run: judgeRun, metrics = {}, skipped, failure }: ScoreLine,
  questions: QuestionNumbers,
): void {
  const run = `${repeat}.${judgeRun}`
  const number = questions.numberOf(question, cluster)
  group.answers.add(run)
  if (failure) {
    group.failed++
    group.failedQuestions.add(number)
  }
  if (skipped !== undefined) {
    group.skipped.add(run)
    group.reasons.add(skipped)
  }
  for (const [metric, value] of Object.entries(metrics)) {
    let values = group.metrics.get(metric)
    if (!values) group.metrics.set(metric, (values = observations()))
    values.add(number, repeat, judgeRun, value)
  }
}

const subsetsOf = (tags: readonly string[]): readonly string[] => [...new Set(['all', ...tags])]

/** Ordered by row, scorer, subset (`all` first) and metric (columns first). */
function cellsOf(
  manifest: Manifest,
  groups: readonly Group[],
  { questions, hasOwnIndexes }: Pick<Scores, 'questions' | 'hasOwnIndexes'>,
): readonly Cell[] {
  return manifest.methods.flatMap(({ id, method, variant, ...row }) => {
    const dataset = runOfRow(manifest, row).dataset.name
    const ofRow = groups.filter((group) => group.methodId === id)
    return manifest.scorers.flatMap((scorer) =>
      ofRow
        .filter((group) => group.scorer === scorer.id)
        .sort((a, b) => allFirst(a.subset, b.subset))
        .flatMap((group) => {
          const { subset, failed } = group
          const skipped = group.skipped.most()
          return metricsOf(scorer, group).map((metric): Cell => {
            const scores = group.metrics.get(metric)?.byQuestion() ?? []
            const range: Range = rangeOf(metric, scorer.ranges)
            return {
              dataset,
              method,
              variant,
              scorer: scorer.scorer,
              metric,
              subset,
              ...withinRange(estimate(scores, questions.clusterOf, hasOwnIndexes(id)), range),
              ...bounds(scores, group.failedQuestions, range),
              failed,
              skipped,
            }
          })
        }),
    )
  })
}

/** Range of a metric; null: unbounded (JSON has no infinity). */
type Range = readonly [least: number | null, greatest: number | null]

/** Clips the interval to the range of the metric. */
function withinRange(summary: Estimate, [least, greatest]: Range): Estimate {
  const [from, to] = [least ?? -Infinity, greatest ?? Infinity]
  const { mean, low, high } = summary
  if (mean === null || low === null || high === null || mean < from || mean > to) return summary
  return { ...summary, low: Math.max(low, from), high: Math.min(high, to) }
}

/** The mean if failed questions had the least or the greatest score; null for unbounded metrics. */
function bounds(
  scores: readonly QuestionScores[],
  failed: ReadonlySet<number>,
  [least, greatest]: Range,
): Pick<Cell, 'least' | 'greatest'> {
  const unscoredQuestions = new Set(failed)
  if (failed.size > 0) for (const { question } of scores) unscoredQuestions.delete(question)
  const missing = unscoredQuestions.size
  const n = scores.length + missing
  if (n === 0) return { least: null, greatest: null }
  const total = scores.reduce((sum, { mean }) => sum + mean, 0)
  const meanWith = (end: number | null): number | null => {
    if (missing === 0) return total / n
    return end === null || !Number.isFinite(end) ? null : (total + missing * end) / n
  }
  return { least: meanWith(least), greatest: meanWith(greatest) }
}

function skippedOf(manifest: Manifest, groups: readonly Group[]): Scores['skipped'] {
  const groupsWithSkips = groups.filter(({ subset, skipped }) => subset === 'all' && skipped.most() > 0)
  const listOf = (methodId: string): readonly SkippedScores[] =>
    manifest.scorers.flatMap(({ id, scorer }) =>
      groupsWithSkips
        .filter((group) => group.methodId === methodId && group.scorer === id)
        .map(({ skipped, answers, reasons }) => ({
          scorer,
          skipped: skipped.most(),
          of: answers.most(),
          reasons: reasons.all(),
        })),
    )
  return new Map(manifest.methods.map(({ id }) => [id, listOf(id)]))
}

/** Metrics with scores, and those of columns even where all trials failed. */
function metricsOf({ columns }: ScorerRecord, { metrics }: Group): readonly string[] {
  const columnMetrics = columns.flatMap(({ metric, shown: isShown }) => (isShown === false ? [] : [metric]))
  const extraMetrics = [...metrics.keys()].filter((metric) => !columnMetrics.includes(metric))
  return [...new Set([...columnMetrics, ...extraMetrics.sort(byBytes)])]
}

const allFirst = (a: string, b: string): number => Number(b === 'all') - Number(a === 'all') || byBytes(a, b)

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
