import { valueOf } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
import type { Plan } from '../../config/index.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { circuitBreaker, type OpenedModels } from '../../models/index.ts'
import type { Failure, IndexLine, MethodRecord, ScoreLine, TrialLine } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import type { Outcome, RatedScore } from '../../types.ts'
import { outcomeOf, skipFailure } from '../execute/run-trial.ts'
import { forEachLimited } from '../for-each-limited.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'
import { addScores, type CallCounts, type Progress, type ScoreCounts } from '../progress.ts'
import { openTimedJournal } from '../results/journal.ts'
import { scoreKey, storedScores } from '../results/read-lines.ts'
import { type TrialSummary, type ExtraInput, needsOutcome } from './summarise-trials.ts'
import { scoreTrial, type ScoreJob } from './score-lines.ts'

export interface ScoringPlan {
  /** The lines of trials.jsonl, of which a later one replaces none; read anew at every call. */
  readonly trials: () => AsyncIterable<IndexLine | TrialLine>
  /** The summary of the same lines. */
  readonly trialSummary: TrialSummary
  /** The file that scores are added to: scores.jsonl, or what replaces it. */
  readonly scores: string
  /** meter.jsonl; absent if timings are not recorded. */
  readonly meter?: string
  readonly scorers: readonly ScorerEntry[]
  readonly judgeRuns: number
  readonly rows: ReadonlyMap<string, MethodRecord>
  readonly concurrency: number
  readonly seed: number
  readonly limits: Plan['limits']
  readonly counts: CallCounts
  /** The input from other trials; by default that of the summary. */
  readonly extraInputOf?: (trial: TrialLine, entry: ScorerEntry) => ExtraInput
}

/**
 * Scores trials as they are written, by the built-in scorers that need neither a model nor other trials, so that an
 * unfinished run has scores to show.
 */
export async function openEarlyScores(plan: ScoringPlan, models: OpenedModels) {
  const early = { ...plan, scorers: plan.scorers.filter(isImmediate) }
  const lines = await openTimedJournal<ScoreLine>(plan.scores)
  const counts = { made: 0, skipped: 0 }
  return {
    add: async (trial: TrialLine) => {
      for (const job of jobsOf(trial, early)) {
        const { line, usage } = await scoreTrial(job, plan, models)
        // a failure is left to the end, where it is made once
        if (line.failure) continue
        lines.append(line, usage)
        counts.made++
        if (line.skipped !== undefined) counts.skipped++
      }
    },
    close: lines.close,
    /** Lines written, and those of them that skip. */
    counts,
  }
}

function isImmediate({ scorer, options, isExternal }: ScorerEntry) {
  const asksModel = scorer.judge || scorer.tasks !== undefined
  const needs = Object.keys(scorer.needs?.(options) ?? {})
  return !isExternal && !asksModel && needs.length === 0
}

/**
 * Scores every answered trial that has no score yet; after that by the scorers that need the outcomes. A line that was
 * made of other references or opponents is replaced by a later one. Throws once aborted.
 */
export async function scoreAll(
  plan: ScoringPlan,
  models: OpenedModels,
  progress: Progress,
  signal: AbortSignal,
): Promise<ScoreCounts> {
  const scorers = plan.scorers.filter((entry) => !needsOutcome(entry))
  const outcomeScorers = plan.scorers.filter(needsOutcome)
  const counts = await scoreTrials({ ...plan, scorers }, models, progress, signal)
  if (outcomeScorers.length === 0) return counts
  const outcomePlan = { ...plan, scorers: outcomeScorers, extraInputOf: await collectOutcomes(plan) }
  return addScores([counts, await scoreTrials(outcomePlan, models, progress, signal)])
}

async function scoreTrials(
  plan: ScoringPlan,
  models: OpenedModels,
  progress: Progress,
  signal: AbortSignal,
): Promise<ScoreCounts> {
  const { finishedScores, usableJudges } = await readFinishedScores(plan)
  const counts = { made: 0, kept: 0, failed: 0, skipped: 0 }
  async function* openJobs() {
    for await (const trial of plan.trials())
      for (const job of trial.line === 'trial' ? jobsOf(trial, plan) : []) {
        const key = scoreKey({ trial: trial.id, scorerId: job.entry.id, run: job.run })
        if (finishedScores.has(key) && finishedScores.get(key) === job.extra.digest) counts.kept++
        else yield job
      }
  }
  const breakerOf = memoise((id: string) => circuitBreaker<Failure>(usableJudges.has(id)))
  const total = plan.scorers.reduce((sum, entry) => sum + plan.trialSummary.count(entry) * runsOf(entry, plan), 0)
  const lines = await openTimedJournal<ScoreLine>(plan.scores, plan.meter)
  const score = async (job: ScoreJob, notAsked?: Failure): Promise<ScoreLine> => {
    signal.throwIfAborted()
    const { label } = job.entry
    progress.at?.('judge', label)
    const { line, usage } = await scoreTrial(job, plan, models, notAsked && skipFailure(notAsked, label))
    if (line.failure) signal.throwIfAborted()
    lines.append(line, usage)
    models.sentCalls.clear(usage)
    counts.made++
    if (line.failure) counts.failed++
    if (line.skipped !== undefined) counts.skipped++
    progress.tick('judge', line.failure !== undefined)
    return line
  }
  const scoreInTurn = async (job: ScoreJob) => {
    const breaker = breakerOf(job.entry.id)
    if (!job.entry.scorer.judge) await score(job)
    else
      await breaker.run(
        breaker.reserve(1),
        (failure) => score(job, failure),
        ({ failure, usage }) => outcomeOf(failure, [usage]),
      )
  }
  progress.start('judge', Math.max(0, total - finishedScores.size), plan.counts.soFar)
  try {
    await forEachLimited(openJobs(), plan.concurrency, scoreInTurn)
  } finally {
    progress.end('judge')
    lines.close()
  }
  return counts
}

function* jobsOf(trial: TrialLine, plan: ScoringPlan) {
  const { rows, scorers, extraInputOf = plan.trialSummary.extraInputFor } = plan
  const row = rows.get(trial.methodId)
  if (!row) return
  for (const entry of scorers) {
    if (trial.failure && !needsOutcome(entry)) continue
    if (!entry.scorer.kinds.includes(trial.question.reference.kind)) continue
    const extra = extraInputOf(trial, entry)
    for (let run = 0; run < runsOf(entry, plan); run++) yield { trial, row, entry, run, extra }
  }
}

const runsOf = ({ scorer }: ScorerEntry, { judgeRuns }: ScoringPlan) => (scorer.judge ? judgeRuns : 1)

async function readFinishedScores(plan: ScoringPlan) {
  const { scores, scorers, rows, trialSummary } = plan
  const entries = new Map(scorers.map((entry) => [entry.id, entry]))
  const finishedScores = new Map<string, string | undefined>()
  const usableJudges = new Set<string>()
  for await (const { value: line } of storedScores(scores, { isUnique: true })) {
    const { trial, scorerId, run, methodId, against, failure, usage } = line
    const key = scoreKey(line)
    const entry = entries.get(scorerId)
    const isTrialThere = rows.has(methodId) && trialSummary.places.has(trial)
    if (!entry || run >= runsOf(entry, plan) || !isTrialThere) continue
    // the last of several lines counts
    if (failure) finishedScores.delete(key)
    else finishedScores.set(key, against)
    if (outcomeOf(failure, [usage]) === 'usable') usableJudges.add(scorerId)
  }
  return { finishedScores, usableJudges }
}

async function collectOutcomes({ scores, scorers, rows, trialSummary }: ScoringPlan) {
  const raters = scorers.filter(({ scorer }) => scorer.rates !== undefined)
  const values = new Map<string, number[]>()
  for await (const { value: line } of storedScores(scores)) {
    const { trial, scorerId, metrics } = line
    const value = metrics?.[raters.find(({ id }) => id === scorerId)?.scorer.rates ?? '']
    if (value === undefined) continue
    const key = `${trial} ${scorerId}`
    values.set(key, [...(values.get(key) ?? []), value])
  }
  const scoresOf = (trial: string): readonly RatedScore[] =>
    raters.flatMap(({ id, label }) => {
      const ratings = values.get(`${trial} ${id}`)
      return ratings ? [{ scorer: label, value: mean(ratings) }] : []
    })
  return (trial: TrialLine): ExtraInput => {
    const { context, answers } = valueOf(rows, trial.methodId)
    const oracle = answers ? undefined : trialSummary.oracle.trialLike(trial)
    const outcome: Outcome = {
      ...(trial.failure && { failed: true as const }),
      ...(context && { context }),
      ...(trial.methodId === trialSummary.oracle.row?.id && { isOracle: true as const }),
      scores: scoresOf(trial.id),
      ...(oracle && { oracle: { scores: scoresOf(oracle.id), answer: oracle.answer.text } }),
      ...(trial.evidence && { evidence: trial.evidence }),
      deep: isDeep(trial, context),
    }
    return { fields: { outcome }, digest: hashOf(outcome).slice(0, 12) }
  }
}

/** Whether evidence beyond the budget is distinguishable from evidence that was not ranked. */
const isDeep = (trial: TrialLine, rowContext: Outcome['context']) =>
  rowContext === 'unlimited' ||
  trial.beyond !== undefined ||
  (trial.asked !== undefined && trial.context.length < trial.asked && trial.stopped === 'end')
