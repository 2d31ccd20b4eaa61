import { valueOf } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
import type { Limits } from '../../config/index.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { circuitBreaker, type OpenedModels } from '../../models/index.ts'
import type { Failure, IndexLine, MeterLine, ScoreLine, TrialLine } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { rowName } from '../../text/names.ts'
import type { Outcome, RatedScore } from '../../types.ts'
import type { CallCounts } from '../execute/call-counts.ts'
import { skipFailure, outcomeWith } from '../execute/breaker-outcome.ts'
import { forEachLimited } from '../for-each-limited.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'
import { measure, type Profile } from '../profile.ts'
import { openJournal } from '../results/journal.ts'
import { meterLines, readScores } from '../results/read-lines.ts'
import { addScores, type Progress, type ScoreCounts } from '../settings.ts'
import { type CollectedTrials, type Needed, needsOutcome, type ScoredRow } from './collect-trials.ts'
import { scoreTrial, type ScoreJob } from './score-lines.ts'

export interface ScoringPlan {
  /** The lines of trials.jsonl, of which a later one replaces none; read anew at every call. */
  readonly trials: () => AsyncIterable<IndexLine | TrialLine>
  /** What was collected from the same lines. */
  readonly collected: CollectedTrials
  /** The file that scores are added to: scores.jsonl, or what replaces it. */
  readonly scores: string
  /** meter.jsonl; null when what the machine does is not to be recorded. */
  readonly meter: string | null
  readonly scorers: readonly ScorerEntry[]
  readonly judgeRuns: number
  readonly rows: ReadonlyMap<string, ScoredRow>
  readonly concurrency: number
  readonly seed: number
  readonly limits: Limits
  readonly profile?: Profile
  readonly counts: CallCounts
}

type NeededBy = (trial: TrialLine, entry: ScorerEntry) => Needed

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
  const last = plan.scorers.filter(needsOutcome)
  const first = plan.scorers.filter((entry) => !needsOutcome(entry))
  const counts = await scoreWith({ ...plan, scorers: first }, plan.collected.neededBy, models, progress, signal)
  if (last.length === 0) return counts
  const outcomes = await collectOutcomes(plan)
  return addScores([counts, await scoreWith({ ...plan, scorers: last }, outcomes, models, progress, signal)])
}

async function scoreWith(
  plan: ScoringPlan,
  neededBy: NeededBy,
  models: OpenedModels,
  progress: Progress,
  signal: AbortSignal,
): Promise<ScoreCounts> {
  const { done, judged } = await scoresDone(plan)
  const counts = { made: 0, kept: 0, failed: 0, skipped: 0 }
  async function* jobs(): AsyncGenerator<ScoreJob> {
    for await (const job of scoreJobs(plan, neededBy)) {
      const key = keyOf(job.trial.id, job.entry.id, job.run)
      if (done.has(key) && done.get(key) === job.needed.digest) counts.kept++
      else yield job
    }
  }
  const breakerOf = memoise((id: string) => circuitBreaker<Failure>(judged.has(id)))
  const total = plan.scorers.reduce((sum, entry) => sum + plan.collected.count(entry) * runsOf(entry, plan), 0)
  const scores = await openJournal<ScoreLine>(plan.scores)
  const meters = plan.meter === null ? null : await openJournal<MeterLine>(plan.meter)
  const perform = async (job: ScoreJob, notAsked?: Failure): Promise<ScoreLine> => {
    signal.throwIfAborted()
    progress.at?.('judge', job.entry.label)
    const scoring = () => scoreTrial(job, plan, models, notAsked && skipFailure(notAsked, job.entry.label))
    const { line, meter } = await measure(plan.profile, 'score', rowName(job.trial), scoring)
    if (line.failure) signal.throwIfAborted()
    scores.append(line)
    models.sent.shown(meter)
    for (const mark of meterLines(line, meter)) meters?.append(mark)
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
  progress.start('judge', Math.max(0, total - done.size), plan.counts.soFar)
  try {
    await forEachLimited(jobs(), plan.concurrency, performInTurn)
  } finally {
    progress.end('judge')
    scores.close()
    meters?.close()
  }
  return counts
}

/** All that a complete run has scored, in order; of trials that failed only for scorers that need outcomes. */
async function* scoreJobs(plan: ScoringPlan, neededBy: NeededBy): AsyncGenerator<ScoreJob> {
  for await (const trial of plan.trials()) {
    const row = plan.rows.get(trial.methodId)
    if (trial.line !== 'trial' || !row) continue
    for (const entry of plan.scorers) {
      if (trial.failure && !needsOutcome(entry)) continue
      if (!entry.scorer.kinds.includes(trial.question.reference.kind)) continue
      const needed = neededBy(trial, entry)
      for (let run = 0; run < runsOf(entry, plan); run++) yield { trial, row, entry, run, needed }
    }
  }
}

const runsOf = ({ scorer }: ScorerEntry, { judgeRuns }: Pick<ScoringPlan, 'judgeRuns'>): number =>
  scorer.judge ? judgeRuns : 1

const keyOf = (trial: string, scorerId: string, run: number): string => `${trial} ${scorerId} ${run}`

/**
 * The scores of these scorers that did not fail, with the digests of what they were made of; and the ids of scorers
 * whose judge gave a usable reply.
 */
async function scoresDone({ scores, scorers, rows, collected, judgeRuns }: ScoringPlan) {
  const entries = new Map(scorers.map((entry) => [entry.id, entry]))
  const done = new Map<string, string | undefined>()
  const judged = new Set<string>()
  for await (const line of readScores(scores, { isUnique: true })) {
    const { trial, scorerId, run, methodId, against, failure, usage } = line
    const entry = entries.get(scorerId)
    if (!entry || run >= runsOf(entry, { judgeRuns }) || !rows.has(methodId) || !collected.places.has(trial)) continue
    // of several lines the last one counts
    if (failure) done.delete(keyOf(trial, scorerId, run))
    else done.set(keyOf(trial, scorerId, run), against)
    if (!failure && outcomeWith(failure, [usage]) === 'usable') judged.add(scorerId)
  }
  return { done, judged }
}

/** Reads scores.jsonl and gives the outcome of a trial, and of the oracle's; the numbers are kept in memory. */
async function collectOutcomes({ scores, scorers, rows, collected }: ScoringPlan): Promise<NeededBy> {
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
    const oracle = answers ? undefined : collected.oracle.trialLike(trial)
    const outcome: Outcome = {
      ...(trial.failure && { failed: true as const }),
      ...(context && { context }),
      ...(trial.methodId === collected.oracle.row?.id && { isOracle: true as const }),
      scores: scoresOf(trial.id),
      ...(oracle && { oracle: { scores: scoresOf(oracle.id), answer: oracle.answer } }),
      ...(trial.evidence && { evidence: trial.evidence }),
      deep: isDeep(trial, context),
    }
    return { given: { outcome }, digest: hashOf(outcome).slice(0, 12) }
  }
}

/** Whether evidence beyond the budget is distinguishable from evidence that was not ranked. */
const isDeep = ({ asked, context, beyond, stopped }: TrialLine, ownContext: Outcome['context']): boolean =>
  ownContext === 'unlimited' ||
  beyond !== undefined ||
  (asked !== undefined && context.length < asked && stopped === 'end')
