import { rowName } from '../../basics/row-name.ts'
import { createMeter, type Meter, type OpenedModels } from '../../models/index.ts'
import type { IndexLine, MeterLine, ScoreLine, TrialLine } from '../../records.ts'
import type { Answer } from '../../types.ts'
import { failureOf } from '../failure.ts'
import { mapInOrder } from '../map-in-order.ts'
import { profiled, type Profile } from '../profile.ts'
import type { Counts, Progress } from '../progress.ts'
import { meterLines } from '../results/meter-lines.ts'
import type { Limits } from '../../config/index.ts'
import { guardScorer } from '../strangers/guard-scorer.ts'
import { checkScore } from './check-score.ts'
import { dropScores } from './drop-scores.ts'
import { gatherNeeds, type Needed, type ScoredRow } from './gather-needs.ts'
import { gatherOutcomes, needsOutcome } from './gather-outcomes.ts'
import type { ScorerEntry } from './scorer-entry.ts'
import { openJournal } from '../results/journal.ts'
import { readCheckedTrials, readScores, readTrials } from '../results/read-lines.ts'

export interface ScoringPlan {
  /** trials.jsonl */
  readonly trials: string
  /** scores.jsonl */
  readonly scores: string
  /** meter.jsonl; null when what the machine does is not to be recorded. */
  readonly meter: string | null
  readonly scorers: readonly ScorerEntry[]
  readonly judgeRuns: number
  readonly concurrency: number
  readonly seed: number
  readonly limits: Limits
  /** Books the time of each row's scores. */
  readonly profile?: Profile
  /** The methods whose trials are scored, by id. */
  readonly rows: ReadonlyMap<string, ScoredRow>
}

interface Job {
  readonly trial: TrialLine
  readonly answer: Answer
  readonly row: ScoredRow
  readonly entry: ScorerEntry
  readonly run: number
  readonly needed: Needed
}

/**
 * Scores every answered trial that has no score yet and appends to scores.jsonl, in the order of trials, scorers and runs; after that those
 * scorers that need what the others have said, of trials that failed, too.
 */
export async function scoreAll(
  plan: ScoringPlan,
  models: OpenedModels,
  progress: Progress,
  signal: AbortSignal,
): Promise<Counts> {
  const [later, first] = [plan.scorers.filter(needsOutcome), plan.scorers.filter((entry) => !needsOutcome(entry))]
  const neededFirst = await gatherNeeds(plan.trials, first, plan.rows)
  const counts = await scoreWith({ ...plan, scorers: first }, neededFirst, models, progress, signal)
  if (later.length === 0) return counts
  const outcomeOf = await gatherOutcomes(plan, plan.scorers, plan.rows)
  const also = await scoreWith({ ...plan, scorers: later }, outcomeOf, models, progress, signal)
  return { made: counts.made + also.made, kept: counts.kept + also.kept, failed: counts.failed + also.failed }
}

/** What a scorer gets of other trials and scores; undefined where it is not asked about this trial. */
type NeededBy = (trial: TrialLine, entry: ScorerEntry) => Needed | undefined

async function scoreWith(
  plan: ScoringPlan,
  neededBy: NeededBy,
  models: OpenedModels,
  progress: Progress,
  signal: AbortSignal,
): Promise<Counts> {
  const done = await finished(plan.scores)
  let kept = 0
  let total = 0
  const current = new Map<string, string>()
  for await (const job of jobs(plan, readTrials(plan.trials), neededBy)) {
    if (done.has(keyOf(job))) kept++
    else total++
    if (job.needed.digest !== undefined) current.set(placeOf(job), job.needed.digest)
  }
  if (current.size > 0) await dropScores(plan.scores, (line) => isStale(line, current))
  const scores = await openJournal<ScoreLine>(plan.scores)
  const meters = plan.meter === null ? null : await openJournal<MeterLine>(plan.meter)
  let made = 0
  let failed = 0
  async function* open(): AsyncGenerator<Job> {
    for await (const job of jobs(plan, readCheckedTrials(plan.trials), neededBy)) if (!done.has(keyOf(job))) yield job
  }
  const perform = async (job: Job): Promise<{ line: ScoreLine; meter: Meter }> => {
    signal.throwIfAborted()
    progress.at?.('judge', job.entry.label)
    const scoring = () => scoreOne(job, plan, models)
    const scored = await profiled(plan.profile, 'score', rowName(job.trial), scoring)
    signal.throwIfAborted()
    return scored
  }
  progress.start('judge', total)
  try {
    for await (const { line, meter } of mapInOrder(open(), plan.concurrency, perform)) {
      scores.append(line)
      for (const mark of meterLines(line, meter)) meters?.append(mark)
      made++
      if (line.failure) failed++
      progress.spent?.('judge', { judge: line.usage })
      progress.tick('judge', line.failure !== undefined)
    }
  } finally {
    progress.end('judge')
    scores.close()
    meters?.close()
  }
  return { made, kept, failed }
}

async function scoreOne(
  { trial, answer, row, entry, run, needed: { given, digest } }: Job,
  { seed, limits }: Pick<ScoringPlan, 'seed' | 'limits'>,
  models: OpenedModels,
): Promise<{ line: ScoreLine; meter: Meter }> {
  const { question, context, relevant, id, method, variant, methodId, repeat } = trial
  const meter = createMeter()
  const scope = models.scope({
    phase: 'judge',
    // repeats draw apart from each other, and so do the judge runs of one answer
    sample: repeat * 1000 + run,
    seed: [seed, 'judge', entry.id, id, run],
    meter,
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
  try {
    const ranked = row.ranks === false && { ranked: false as const }
    const scorer = guardScorer(entry, { limits, of: [id, run] })
    const input = { question, context, answer, ...(relevant && { relevant }), ...ranked, ...given }
    const score = checkScore(await scorer.score(input, scope, entry.options), entry)
    const usage = meter.usage('judge')
    if ('skipped' in score) return { meter, line: { ...head, subsets: tags, skipped: score.skipped, usage } }
    const { metrics, parts, subsets = [] } = score
    return { meter, line: { ...head, subsets: [...tags, ...subsets], metrics, ...(parts && { parts }), usage } }
  } catch (error) {
    return { meter, line: { ...head, subsets: tags, failure: failureOf('judge', error), usage: meter.usage('judge') } }
  }
}

/** All that a complete run has scored, in order; a trial that failed has nothing to score and is counted by the table, but for scorers that need outcomes. */
async function* jobs(
  { scorers, judgeRuns, rows }: ScoringPlan,
  lines: AsyncIterable<IndexLine | TrialLine>,
  neededBy: NeededBy,
): AsyncGenerator<Job> {
  const failed = new Set<string>()
  for await (const trial of lines) {
    const row = rows.get(trial.methodId)
    if (trial.line !== 'trial' || !row || failed.has(trial.id)) continue
    for (const entry of scorers) {
      if ((!trial.answer && !needsOutcome(entry)) || !entry.scorer.kinds.includes(trial.question.reference.kind))
        continue
      const runs = entry.scorer.judge ? judgeRuns : 1
      const needed = neededBy(trial, entry)
      if (!needed) continue
      if (!trial.answer) failed.add(trial.id)
      const answer = trial.answer ?? noAnswer
      for (let run = 0; run < runs; run++) yield { trial, answer, row, entry, run, needed }
    }
  }
}

/** Of a trial that failed. */
const noAnswer: Answer = { text: '' }

const placeOf = ({ trial, entry, run }: Job): string => `${trial.id} ${entry.id} ${run}`

const keyOf = (job: Job): string => `${placeOf(job)} ${job.needed.digest ?? ''}`

/** Keys of the scores that need not be made again; a failure is asked again. */
async function finished(scores: string): Promise<ReadonlySet<string>> {
  const done = new Set<string>()
  for await (const line of readScores(scores)) {
    if (!line.failure) done.add(`${line.trial} ${line.scorerId} ${line.run} ${line.against ?? ''}`)
  }
  return done
}

/** Whether a score was made of other references or opponents than there are now. */
function isStale({ trial, scorerId, run, against }: ScoreLine, current: ReadonlyMap<string, string>): boolean {
  const digest = current.get(`${trial} ${scorerId} ${run}`)
  return digest !== undefined && against !== digest
}
