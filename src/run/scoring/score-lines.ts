import { rowName } from '../../text/names.ts'
import type { Limits } from '../../config/index.ts'
import type { Meter, OpenedModels } from '../../models/index.ts'
import type { MeterLine, ScoreLine } from '../../records.ts'
import { mapAsDone } from '../map-as-done.ts'
import { profiled, type Profile } from '../profile.ts'
import type { Progress, ScoreCounts } from '../progress.ts'
import { openJournal } from '../results/journal.ts'
import { meterLines } from '../results/meter-lines.ts'
import type { ScoreJob, ScoreJobs } from './score-jobs.ts'
import { scoreOne } from './score-one.ts'

export interface ScoringPlan extends ScoreJobs {
  /** The results folder, with the trials. */
  readonly folder: string
  /** The file that scores are added to: scores.jsonl, or what replaces it. */
  readonly scores: string
  /** meter.jsonl; null when what the machine does is not to be recorded. */
  readonly meter: string | null
  readonly concurrency: number
  readonly seed: number
  readonly limits: Limits
  /** Books the time of each row's scores. */
  readonly profile?: Profile
}

/** Runs scorers on answers and appends what they say to scores.jsonl, as they come. Throws once the signal is aborted. */
export async function scoreLines(
  plan: ScoringPlan,
  jobs: AsyncIterable<ScoreJob>,
  models: OpenedModels,
  progress: Pick<Progress, 'at' | 'spent' | 'tick'>,
  signal: AbortSignal,
): Promise<Omit<ScoreCounts, 'kept'>> {
  const scores = await openJournal<ScoreLine>(plan.scores)
  const meters = plan.meter === null ? null : await openJournal<MeterLine>(plan.meter)
  let [made, failed, skipped] = [0, 0, 0]
  const perform = async (job: ScoreJob): Promise<{ line: ScoreLine; meter: Meter }> => {
    signal.throwIfAborted()
    progress.at?.('judge', job.entry.label)
    const scoring = () => scoreOne(job, plan, models)
    const scored = await profiled(plan.profile, 'score', rowName(job.trial), scoring)
    signal.throwIfAborted()
    return scored
  }
  try {
    for await (const { line, meter } of mapAsDone(jobs, plan.concurrency, perform)) {
      scores.append(line)
      for (const mark of meterLines(line, meter)) meters?.append(mark)
      made++
      if (line.failure) failed++
      if (line.skipped !== undefined) skipped++
      progress.spent?.('judge', { judge: line.usage })
      progress.tick('judge', line.failure !== undefined)
    }
  } finally {
    scores.close()
    meters?.close()
  }
  return { made, failed, skipped }
}
