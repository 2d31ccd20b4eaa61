import type { OpenedModels } from '../../models/index.ts'
import type { ScoreLine } from '../../records.ts'
import { addScores, type Progress, type ScoreCounts } from '../progress.ts'
import { readCheckedTrials, readTrials } from '../results/read-lines.ts'
import { dropScores } from './drop-scores.ts'
import { gatherNeeds } from './gather-needs.ts'
import { gatherOutcomes, needsOutcome } from './gather-outcomes.ts'
import { keyOf, placeOf, scoreJobs, scoresDone, type NeededBy, type ScoreJob } from './score-jobs.ts'
import { scoreLines, type ScoringPlan } from './score-lines.ts'
import type { ScorerEntry } from './scorer-entry.ts'

/**
 * Scores every answered trial that has no score yet and appends to scores.jsonl as they come; after that those
 * scorers that need what the others have said, of trials that failed, too.
 */
export async function scoreAll(
  plan: ScoringPlan,
  models: OpenedModels,
  progress: Progress,
  signal: AbortSignal,
): Promise<ScoreCounts> {
  const { first, later } = inTurn(plan.scorers)
  const score = (scorers: readonly ScorerEntry[], neededBy: NeededBy) =>
    scoreWith({ ...plan, scorers }, neededBy, models, progress, signal)
  const counts = await score(first, await gatherNeeds(plan.folder, first, plan.rows))
  if (later.length === 0) return counts
  const also = await score(later, await gatherOutcomes(plan, plan.scorers, plan.rows))
  return addScores([counts, also])
}

/** Scorers that rate answers, and those that need what these have said. */
const inTurn = (scorers: readonly ScorerEntry[]) => ({
  first: scorers.filter((entry) => !needsOutcome(entry)),
  later: scorers.filter(needsOutcome),
})

async function scoreWith(
  plan: ScoringPlan,
  neededBy: NeededBy,
  models: OpenedModels,
  progress: Progress,
  signal: AbortSignal,
): Promise<ScoreCounts> {
  const done = await scoresDone(plan.scores)
  let kept = 0
  let total = 0
  const current = new Map<string, string>()
  for await (const job of scoreJobs(plan, readTrials(plan.folder), neededBy)) {
    if (done.has(keyOf(job))) kept++
    else total++
    if (job.needed.digest !== undefined) current.set(placeOf(job), job.needed.digest)
  }
  if (current.size > 0) await dropScores(plan.scores, (line) => isStale(line, current))
  async function* open(): AsyncGenerator<ScoreJob> {
    const all = scoreJobs(plan, readCheckedTrials(plan.folder), neededBy)
    for await (const job of all) if (!done.has(keyOf(job))) yield job
  }
  progress.start('judge', total)
  try {
    return { kept, ...(await scoreLines(plan, open(), models, progress, signal)) }
  } finally {
    progress.end('judge')
  }
}

/** Whether a score was made of other references or opponents than there are now. */
function isStale({ trial, scorerId, run, against }: ScoreLine, current: ReadonlyMap<string, string>): boolean {
  const digest = current.get(`${trial} ${scorerId} ${run}`)
  return digest !== undefined && against !== digest
}
