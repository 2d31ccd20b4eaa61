import { rowName } from '../../text/names.ts'
import type { Limits } from '../../config/index.ts'
import { type Meter, type OpenedModels, circuitBreaker, createMeter } from '../../models/index.ts'
import type { Failure, MeterLine, ScoreLine, IndexLine, TrialLine } from '../../records.ts'
import { memoise } from '../../basics/memoise.ts'
import { forEachLimited } from '../for-each-limited.ts'
import { profiled, type Profile } from '../profile.ts'
import type { Progress, ScoreCounts } from '../settings.ts'
import type { CallCounts } from '../asking/call-counts.ts'
import { openJournal } from '../results/journal.ts'
import { meterLines, readScores } from '../results/read-lines.ts'
import { notBegun, outcomeWith } from '../asking/breaker-outcome.ts'
import { failureOf } from '../calls/plain-error.ts'
import { guardScorer } from '../calls/guards.ts'
import { describe } from '../../text/shape-faults.ts'
import type { Score, Scorer, Answer } from '../../types.ts'
import { rangeOf } from '../../basics/metrics.ts'
import { isObject } from '../../basics/plain-data.ts'
import { needsOutcome, type Needed, type ScoredRow } from './gather-needs.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'

export interface ScoringPlan extends ScoreJobs {
  /** The lines of trials.jsonl, read anew at every call. */
  readonly trials: () => AsyncIterable<IndexLine | TrialLine>
  /** The file that scores are added to: scores.jsonl, or what replaces it. */
  readonly scores: string
  /** meter.jsonl; null when what the machine does is not to be recorded. */
  readonly meter: string | null
  readonly concurrency: number
  readonly seed: number
  readonly limits: Limits
  readonly profile?: Profile
  readonly counts: CallCounts
}

/** Runs scorers and appends to scores.jsonl. `judged`: ids whose judge gave a usable reply. Throws once aborted. */
export async function scoreLines(
  plan: ScoringPlan & { readonly judged: ReadonlySet<string> },
  jobs: AsyncIterable<ScoreJob>,
  models: OpenedModels,
  progress: Pick<Progress, 'at' | 'tick'>,
  signal: AbortSignal,
): Promise<Omit<ScoreCounts, 'kept'>> {
  const scores = await openJournal<ScoreLine>(plan.scores)
  const meters = plan.meter === null ? null : await openJournal<MeterLine>(plan.meter)
  let [made, failed, skipped] = [0, 0, 0]
  const breakerOf = memoise((id: string) => circuitBreaker<Failure>(plan.judged.has(id)))
  const perform = async (job: ScoreJob, notAsked: Failure | undefined): Promise<ScoreLine> => {
    signal.throwIfAborted()
    progress.at?.('judge', job.entry.label)
    const failure = notAsked && notBegun(notAsked, job.entry.label)
    const scoring = () => scoreOne(job, plan, models, failure)
    const { line, meter } = await profiled(plan.profile, 'score', rowName(job.trial), scoring)
    if (line.failure) signal.throwIfAborted()
    scores.append(line)
    models.sent.shown(meter)
    for (const mark of meterLines(line, meter)) meters?.append(mark)
    made++
    if (line.failure) failed++
    if (line.skipped !== undefined) skipped++
    progress.tick('judge', line.failure !== undefined)
    return line
  }
  try {
    await forEachLimited(jobs, plan.concurrency, async (job) => {
      const breaker = breakerOf(job.entry.id)
      if (job.entry.scorer.judge)
        await breaker.run(
          breaker.reserve(1),
          (failure) => perform(job, failure),
          ({ failure, usage }) => outcomeWith(failure, [usage]),
        )
      else await perform(job, undefined)
    })
  } finally {
    scores.close()
    meters?.close()
  }
  return { made, failed, skipped }
}

/** Runs a scorer once. A failure is an outcome, not an exception; `notAsked` is one that is known before. */
async function scoreOne(
  { trial, answer, row, entry, run, needed: { given, digest } }: ScoreJob,
  { seed, limits, counts }: Pick<ScoringPlan, 'seed' | 'limits' | 'counts'>,
  models: OpenedModels,
  notAsked: Failure | undefined,
): Promise<{ line: ScoreLine; meter: Meter }> {
  const { question, context, beyond = [], relevant, grades, id, method, variant, methodId, repeat } = trial
  const meter = createMeter()
  const scope = models.scope({
    phase: 'judge',
    // repeats draw apart from each other, and so do the judge runs of one answer
    sample: repeat * 1000 + run,
    seed: [seed, 'judge', entry.id, id, run],
    meter,
    onUsage: (more) => counts.onUsage('judge', more),
  })
  const asked = { question: question.id, ...(question.cluster !== undefined && { cluster: question.cluster }) }
  const head = {
    trial: id,
    ...asked,
    method,
    variant,
    methodId,
    repeat,
    scorer: entry.label,
    scorerId: entry.id,
    run,
    ...(digest !== undefined && { against: digest }),
  }
  const tags = question.tags ?? []
  if (notAsked) return { meter, line: { ...head, subsets: tags, failure: notAsked, usage: meter.usage('judge') } }
  try {
    const ranked = row.ranks === false && { ranked: false as const }
    const scorer = guardScorer(entry, { limits })
    const ranking = trial.answer === null && { ranking: [...context, ...beyond] }
    const input = {
      question,
      context,
      answer,
      ...ranking,
      ...(relevant && { relevant }),
      ...(grades && { grades }),
      ...ranked,
      ...given,
    }
    const score = checkScore(await scorer.score(input, scope, entry.options), entry)
    const usage = meter.usage('judge')
    if ('skipped' in score) return { meter, line: { ...head, subsets: tags, skipped: score.skipped, usage } }
    const { metrics, parts, subsets = [] } = score
    return { meter, line: { ...head, subsets: [...tags, ...subsets], metrics, ...(parts && { parts }), usage } }
  } catch (error) {
    return { meter, line: { ...head, subsets: tags, failure: failureOf('judge', error), usage: meter.usage('judge') } }
  }
}

/** Sums of floating point numbers and cosines of 32 bits may pass a bound by as much. */
const tolerance = 1e-6

/** What a scorer gave, or an Error that says what is wrong with it: a scorer may be a plug-in. */
export function checkScore(
  score: unknown,
  { label, scorer }: { readonly label: string; readonly scorer: Pick<Scorer, 'ranges'> },
): Score {
  for (const fault of scoreFaults(score, scorer)) throw new Error(`${label} ${fault}`)
  const { metrics, skipped, subsets = [], parts } = score as Readonly<Record<string, unknown>>
  if (typeof skipped === 'string') return { skipped }
  return { metrics, subsets, ...(isObject(parts) && { parts }) } as Score
}

/** All that is wrong with what a scorer gave, as sentences about the scorer. */
export function* scoreFaults(score: unknown, { ranges }: Pick<Scorer, 'ranges'>): Generator<string> {
  if (typeof score !== 'object' || score === null) {
    yield `gave ${describe(score)}: ${expected}`
    return
  }
  const { metrics, skipped, subsets = [] } = score as Readonly<Record<string, unknown>>
  if (typeof skipped === 'string') return
  if (!isObject(metrics)) {
    yield `gave neither metrics nor the reason why it skipped: ${expected}`
    return
  }
  if (!Array.isArray(subsets) || !subsets.every((subset) => typeof subset === 'string'))
    yield 'gave subsets that are no list of texts'
  for (const [metric, value] of Object.entries(metrics)) {
    const fault = faultOf(value, rangeOf(metric, ranges))
    if (fault !== undefined) yield `gave ${metric} = ${describe(value)}${fault}`
  }
}

const expected = "give { metrics: { name: number } } or { skipped: 'why' }"

/** What is wrong with the value of a metric, as the end of a sentence. */
function faultOf(value: unknown, [least, greatest]: readonly [number, number]): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return ''
  if (value >= least - tolerance && value <= greatest + tolerance) return undefined
  const advice =
    least === 0 && greatest === 1
      ? 'give fractions, or state the metric\'s range in "ranges"'
      : 'the range that "ranges" states'
  return `, outside ${Number(least.toFixed(4))} to ${Number(greatest.toFixed(4))}: ${advice}`
}

/** One run of a scorer on an answer. */
export interface ScoreJob {
  readonly trial: TrialLine
  readonly answer: Answer
  readonly row: ScoredRow
  readonly entry: ScorerEntry
  readonly run: number
  readonly needed: Needed
}

interface ScoreJobs {
  readonly scorers: readonly ScorerEntry[]
  readonly judgeRuns: number
  readonly rows: ReadonlyMap<string, ScoredRow>
}

/** What a scorer gets of other trials and scores; undefined where it is not asked about this trial. */
export type NeededBy = (trial: TrialLine, entry: ScorerEntry) => Needed | undefined

/** All that a complete run has scored, in order; of trials that failed only for scorers that need outcomes. */
export async function* scoreJobs(
  { scorers, judgeRuns, rows }: ScoreJobs,
  lines: AsyncIterable<IndexLine | TrialLine>,
  neededBy: NeededBy,
): AsyncGenerator<ScoreJob> {
  const failed = new Set<string>()
  for await (const trial of lines) {
    const row = rows.get(trial.methodId)
    if (trial.line !== 'trial' || !row || failed.has(trial.id)) continue
    for (const entry of scorers) {
      if ((trial.failure && !needsOutcome(entry)) || !entry.scorer.kinds.includes(trial.question.reference.kind))
        continue
      const runs = entry.scorer.judge ? judgeRuns : 1
      const needed = neededBy(trial, entry)
      if (!needed) continue
      if (trial.failure) failed.add(trial.id)
      const answer = trial.answer ?? noAnswer
      for (let run = 0; run < runs; run++) yield { trial, answer, row, entry, run, needed }
    }
  }
}

const noAnswer: Answer = { text: '' }

/** A run of a scorer on a trial. */
export const placeOf = ({ trial, entry, run }: ScoreJob): string => `${trial.id} ${entry.id} ${run}`

/** The same, made of what the scorer gets of other trials. */
export const keyOf = (job: ScoreJob): string => `${placeOf(job)} ${job.needed.digest ?? ''}`

/** Keys of the scores that did not fail, and ids of scorers whose judge gave a usable reply. */
export async function scoresDone(scores: string): Promise<{
  readonly done: ReadonlySet<string>
  readonly judged: ReadonlySet<string>
}> {
  const done = new Set<string>()
  const judged = new Set<string>()
  for await (const { trial, scorerId, run, against, failure, usage } of readScores(scores)) {
    if (failure) continue
    done.add(`${trial} ${scorerId} ${run} ${against ?? ''}`)
    if (outcomeWith(failure, [usage]) === 'usable') judged.add(scorerId)
  }
  return { done, judged }
}
