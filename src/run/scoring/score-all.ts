import { createMeter, type Meter } from '../models/meter.ts'
import type { OpenedModels } from '../models/index.ts'
import type { IndexLine, MeterLine, ScoreLine, TrialLine } from '../records.ts'
import type { Answer, Scorer } from '../types.ts'
import { marks, type Counts } from './ask-all.ts'
import { failureOf } from './failure.ts'
import { inOrder } from './ordered.ts'
import type { Progress } from './progress.ts'
import { openJournal, readJournal } from './store.ts'

/** A scorer as it stands in the plan: its label, identity and options. */
export interface Judge {
  readonly label: string
  readonly id: string
  readonly use: string
  readonly scorer: Scorer
  readonly options: unknown
  /** The options as they may be written to disk. */
  readonly record: unknown
}

export interface JudgePlan {
  /** trials.jsonl */
  readonly trials: string
  /** scores.jsonl */
  readonly scores: string
  /** meter.jsonl; null when what the machine does is not to be recorded. */
  readonly meter: string | null
  readonly judges: readonly Judge[]
  readonly judgeRuns: number
  readonly concurrency: number
  readonly seed: number
  /** Ids of the contestants whose trials are scored. */
  readonly rows: ReadonlySet<string>
}

interface Job {
  readonly trial: TrialLine
  readonly answer: Answer
  readonly judge: Judge
  readonly run: number
}

/** Scores every answered trial that has no score yet and appends to scores.jsonl, in the order of trials, scorers and runs. */
export async function judgeAll(
  plan: JudgePlan,
  models: OpenedModels,
  progress: Progress,
  signal: AbortSignal,
): Promise<Counts> {
  const done = await finished(plan.scores)
  let kept = 0
  let total = 0
  for await (const job of jobs(plan)) {
    if (done.has(keyOf(job))) kept++
    else total++
  }
  const scores = await openJournal<ScoreLine>(plan.scores)
  const meters = plan.meter === null ? null : await openJournal<MeterLine>(plan.meter)
  let made = 0
  let failed = 0
  async function* open(): AsyncGenerator<Job> {
    for await (const job of jobs(plan)) if (!done.has(keyOf(job))) yield job
  }
  const perform = async (job: Job): Promise<{ line: ScoreLine; meter: Meter }> => {
    signal.throwIfAborted()
    const scored = await scoreOne(job, plan.seed, models)
    signal.throwIfAborted()
    return scored
  }
  progress.start('judge', total)
  try {
    for await (const { line, meter } of inOrder(open(), plan.concurrency, perform)) {
      await scores.append(line)
      for (const mark of marks(line, meter)) void meters?.append(mark)
      made++
      if (line.failure) failed++
      progress.tick('judge', line.failure !== undefined)
    }
  } finally {
    progress.end('judge')
    await Promise.all([scores.close(), meters?.close()])
  }
  return { made, kept, failed }
}

async function scoreOne(
  { trial, answer, judge, run }: Job,
  seed: number,
  models: OpenedModels,
): Promise<{ line: ScoreLine; meter: Meter }> {
  const { question, context, relevant, id, method, variant, contestant, repeat } = trial
  const meter = createMeter()
  const scope = models.scope({
    phase: 'judge',
    // repeats draw apart from each other, and so do the judge runs of one answer
    sample: repeat * 1000 + run,
    seed: [seed, 'judge', judge.id, id, run],
    meter,
  })
  const head = { trial: id, method, variant, contestant, repeat, scorer: judge.label, scorerId: judge.id, run }
  const tags = question.tags ?? []
  try {
    const score = await judge.scorer.score(
      { question, context, answer, ...(relevant && { relevant }) },
      scope,
      judge.options,
    )
    const usage = meter.usage('judge')
    if ('skipped' in score) return { meter, line: { ...head, subsets: tags, skipped: score.skipped, usage } }
    const { metrics, parts, subsets = [] } = score
    const wrong = Object.entries(metrics).find(([, value]) => !Number.isFinite(value))
    if (wrong) throw new Error(`${judge.label} gave ${wrong[0]} = ${String(wrong[1])}`)
    return { meter, line: { ...head, subsets: [...tags, ...subsets], metrics, ...(parts && { parts }), usage } }
  } catch (error) {
    return { meter, line: { ...head, subsets: tags, failure: failureOf('judge', error), usage: meter.usage('judge') } }
  }
}

/** All that a complete run has scored, in order; a trial that failed has nothing to score and is counted by the table. */
async function* jobs({ trials, judges, judgeRuns, rows }: JudgePlan): AsyncGenerator<Job> {
  for await (const trial of readJournal<IndexLine | TrialLine>(trials)) {
    if (trial.line !== 'trial' || !trial.answer || !rows.has(trial.contestant)) continue
    for (const judge of judges) {
      if (!judge.scorer.kinds.includes(trial.question.reference.kind)) continue
      const runs = judge.scorer.judge ? judgeRuns : 1
      for (let run = 0; run < runs; run++) yield { trial, answer: trial.answer, judge, run }
    }
  }
}

const keyOf = ({ trial, judge, run }: Job): string => `${trial.id} ${judge.id} ${run}`

/** Keys of the scores that need not be made again; a failure is asked again. */
async function finished(scores: string): Promise<ReadonlySet<string>> {
  const done = new Set<string>()
  for await (const line of readJournal<ScoreLine>(scores)) {
    if (!line.failure) done.add(`${line.trial} ${line.scorerId} ${line.run}`)
  }
  return done
}
