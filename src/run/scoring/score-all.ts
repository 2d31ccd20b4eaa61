import { valueOf } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
import type { Limits } from '../../config/index.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { circuitBreaker, type OpenedModels } from '../../models/index.ts'
import type { Failure, IndexLine, MeterLine, ScoreLine, TrialLine } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { rowName } from '../../text/names.ts'
import type { Outcome, RatedScore } from '../../types.ts'
import { skipFailure, outcomeWith } from '../execute/breaker-outcome.ts'
import { forEachLimited } from '../for-each-limited.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'
import { measure, type Profile } from '../profile.ts'
import { openJournal } from '../results/journal.ts'
import { timingLines, readScores, scoreKey } from '../results/read-lines.ts'
import { addScores, type CallCounts, type Progress, type ScoreCounts } from '../progress.ts'
import { type TrialSummary, type ExtraInput, needsOutcome, type ScoredRow } from './summarise-trials.ts'
import { scoreTrial, type ScoreJob } from './score-lines.ts'

export interface ScoringPlan {
  /** The lines of trials.jsonl, of which a later one replaces none; read anew at every call. */
  readonly trials: () => AsyncIterable<IndexLine | TrialLine>
  /** The summary of the same lines. */
  readonly trialSummary: TrialSummary
  /** The file that scores are added to: scores.jsonl, or what replaces it. */
  readonly scores: string
  /** meter.jsonl; null if timings are not recorded. */
  readonly timingsFile: string | null
  readonly scorers: readonly ScorerEntry[]
  readonly judgeRuns: number
  readonly rows: ReadonlyMap<string, ScoredRow>
  readonly concurrency: number
  readonly seed: number
  readonly limits: Limits
  readonly profile?: Profile
  readonly counts: CallCounts
}

type ExtraInputOf = (trial: TrialLine, entry: ScorerEntry) => ExtraInput

/**
 * Scores every answered trial that has no score yet and appends the lines; after that by the scorers that need the
 * outcomes. A line that was made of other references or opponents is replaced by a later one. Throws once aborted.
 */
export async function scoreAll(
  plan: ScoringPlan,
  models: OpenedModels,
  progress: Progress,
  signal: AbortSignal,
): Promise<ScoreCounts> {
  const outcomeScorers = plan.scorers.filter(needsOutcome)
  const trialScorers = plan.scorers.filter((entry) => !needsOutcome(entry))
  const counts = await scoreWith(
    { ...plan, scorers: trialScorers },
    plan.trialSummary.extraInputFor,
    models,
    progress,
    signal,
  )
  if (outcomeScorers.length === 0) return counts
  const outcomes = await collectOutcomes(plan)
  return addScores([counts, await scoreWith({ ...plan, scorers: outcomeScorers }, outcomes, models, progress, signal)])
}

async function scoreWith(
  plan: ScoringPlan,
  extraInputFor: ExtraInputOf,
  models: OpenedModels,
  progress: Progress,
  signal: AbortSignal,
): Promise<ScoreCounts> {
  const { done: finishedScores, judged: respondingJudges } = await readFinishedScores(plan)
  const counts = { made: 0, kept: 0, failed: 0, skipped: 0 }
  async function* jobs(): AsyncGenerator<ScoreJob> {
    for await (const job of scoreJobs(plan, extraInputFor)) {
      const key = scoreKey({ trial: job.trial.id, scorerId: job.entry.id, run: job.run })
      if (finishedScores.has(key) && finishedScores.get(key) === job.extra.digest) counts.kept++
      else yield job
    }
  }
  const breakerOf = memoise((id: string) => circuitBreaker<Failure>(respondingJudges.has(id)))
  const total = plan.scorers.reduce((sum, entry) => sum + plan.trialSummary.count(entry) * runsOf(entry, plan), 0)
  const scores = await openJournal<ScoreLine>(plan.scores)
  const timingJournal = plan.timingsFile === null ? null : await openJournal<MeterLine>(plan.timingsFile)
  const perform = async (job: ScoreJob, notAsked?: Failure): Promise<ScoreLine> => {
    signal.throwIfAborted()
    progress.at?.('judge', job.entry.label)
    const scoring = () => scoreTrial(job, plan, models, notAsked && skipFailure(notAsked, job.entry.label))
    const { line, usage } = await measure(plan.profile, 'score', rowName(job.trial), scoring)
    if (line.failure) signal.throwIfAborted()
    scores.append(line)
    models.sentCalls.clear(usage)
    for (const timing of timingLines(line, usage)) timingJournal?.append(timing)
    counts.made++
    if (line.failure) counts.failed++
    if (line.skipped !== undefined) counts.skipped++
    progress.tick('judge', line.failure !== undefined)
    return line
  }
  const performInTurn = async (job: ScoreJob): Promise<void> => {
    const breaker = breakerOf(job.entry.id)
    if (job.entry.scorer.judge)
      await breaker.run(
        breaker.reserve(1),
        (failure) => perform(job, failure),
        ({ failure, usage }) => outcomeWith(failure, [usage]),
      )
    else await perform(job)
  }
  progress.start('judge', Math.max(0, total - finishedScores.size), plan.counts.soFar)
  try {
    await forEachLimited(jobs(), plan.concurrency, performInTurn)
  } finally {
    progress.end('judge')
    scores.close()
    timingJournal?.close()
  }
  return counts
}

/** All scores of a complete run in order; failed trials only for scorers that need outcomes. */
async function* scoreJobs(plan: ScoringPlan, extraInputFor: ExtraInputOf): AsyncGenerator<ScoreJob> {
  for await (const trial of plan.trials()) {
    const row = plan.rows.get(trial.methodId)
    if (trial.line !== 'trial' || !row) continue
    for (const entry of plan.scorers) {
      if (trial.failure && !needsOutcome(entry)) continue
      if (!entry.scorer.kinds.includes(trial.question.reference.kind)) continue
      const extra = extraInputFor(trial, entry)
      for (let run = 0; run < runsOf(entry, plan); run++) yield { trial, row, entry, run, extra }
    }
  }
}

const runsOf = ({ scorer }: ScorerEntry, { judgeRuns }: Pick<ScoringPlan, 'judgeRuns'>): number =>
  scorer.judge ? judgeRuns : 1

/**
 * The scores of these scorers that did not fail, with the digests of what they were made of; and the ids of scorers
 * whose judge gave a usable reply.
 */
async function readFinishedScores({ scores, scorers, rows, trialSummary, judgeRuns }: ScoringPlan) {
  const entries = new Map(scorers.map((entry) => [entry.id, entry]))
  const finishedScores = new Map<string, string | undefined>()
  const respondingJudges = new Set<string>()
  for await (const line of readScores(scores, { isUnique: true })) {
    const { trial, scorerId, run, methodId, against, failure, usage } = line
    const key = scoreKey(line)
    const entry = entries.get(scorerId)
    if (!entry || run >= runsOf(entry, { judgeRuns }) || !rows.has(methodId) || !trialSummary.places.has(trial))
      continue
    // the last of several lines counts
    if (failure) finishedScores.delete(key)
    else finishedScores.set(key, against)
    if (!failure && outcomeWith(failure, [usage]) === 'usable') respondingJudges.add(scorerId)
  }
  return { done: finishedScores, judged: respondingJudges }
}

/** Reads scores.jsonl and returns the outcomes of trials and of the oracle; the numbers stay in memory. */
async function collectOutcomes({ scores, scorers, rows, trialSummary }: ScoringPlan): Promise<ExtraInputOf> {
  const raters = scorers.filter(({ scorer }) => scorer.rates !== undefined)
  const values = new Map<string, number[]>()
  for await (const { trial, scorerId, metrics } of readScores(scores)) {
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
  return (trial) => {
    const { context, answers } = valueOf(rows, trial.methodId)
    const oracle = answers ? undefined : trialSummary.oracle.trialLike(trial)
    const outcome: Outcome = {
      ...(trial.failure && { failed: true as const }),
      ...(context && { context }),
      ...(trial.methodId === trialSummary.oracle.row?.id && { isOracle: true as const }),
      scores: scoresOf(trial.id),
      ...(oracle && { oracle: { scores: scoresOf(oracle.id), answer: oracle.answer } }),
      ...(trial.evidence && { evidence: trial.evidence }),
      deep: isDeep(trial, context),
    }
    return { fields: { outcome }, digest: hashOf(outcome).slice(0, 12) }
  }
}

/** Whether evidence beyond the budget is distinguishable from evidence that was not ranked. */
const isDeep = (trial: TrialLine, rowContext: Outcome['context']): boolean =>
  rowContext === 'unlimited' ||
  trial.beyond !== undefined ||
  (trial.asked !== undefined && trial.context.length < trial.asked && trial.stopped === 'end')
