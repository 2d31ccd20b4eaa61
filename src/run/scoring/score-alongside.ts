import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { OpenedModels } from '../../models/index.ts'
import type { IndexLine, TrialLine } from '../../records.ts'
import type { Hear } from '../asking/ask-all.ts'
import type { Counts, Progress, ScoreCounts } from '../progress.ts'
import { needsOf } from './gather-needs.ts'
import { inTurn } from './score-all.ts'
import type { ScorerEntry } from './scorer-entry.ts'
import { keyOf, scoreJobs, scoresDone, type ScoreJob } from './score-jobs.ts'
import { scoreLines, type ScoringPlan } from './score-lines.ts'

/** What was asked, and what was scored meanwhile. */
export interface Asked {
  readonly trials: Counts
  /** Of the scorers that rate answers; absent where they are still to be run. */
  readonly scores?: ScoreCounts
}

/** Lines that may wait to be scored: each holds a whole context. */
const mostWaiting = 16

/**
 * Asks, and has answers scored meanwhile, in the order of `scoreAll`: while a trial waits for a model, the processor is free. Where a scorer asks
 * a model, or needs what stands in other trials, or where time is booked, all scorers wait until everything is asked.
 */
export async function scoreAlongside(
  plan: ScoringPlan,
  models: OpenedModels,
  progress: Progress,
  signal: AbortSignal,
  ask: (hear?: Hear) => Promise<Counts>,
): Promise<Asked> {
  const { first: scorers } = inTurn(plan.scorers)
  if (plan.profile || scorers.some(hasToWait)) return { trials: await ask() }
  const lines = new PassThrough({ objectMode: true, highWaterMark: mostWaiting })
  const scoring = score({ ...plan, scorers }, lines, models, progress, signal)
  const ended = new AbortController()
  scoring.catch((error: unknown) => ended.abort(error))
  const hear: Hear = async (line) => {
    // also where the scoring has ended, and takes no more
    if (!lines.write(line)) await once(lines, 'drain', { signal: ended.signal }).catch(() => undefined)
    ended.signal.throwIfAborted()
  }
  try {
    const trials = await ask(hear).finally(() => lines.end())
    return { trials, scores: await scoring }
  } finally {
    await scoring.catch(() => undefined)
  }
}

function hasToWait({ scorer, options }: ScorerEntry): boolean {
  const { tokens, references, opponents } = needsOf({ scorer, options })
  return scorer.judge === true || tokens !== undefined || references === true || opponents !== undefined
}

async function score(
  plan: ScoringPlan,
  lines: AsyncIterable<IndexLine | TrialLine>,
  models: OpenedModels,
  progress: Progress,
  signal: AbortSignal,
): Promise<ScoreCounts> {
  const done = await scoresDone(plan.scores)
  let [kept, total, made, failed] = [0, 0, 0, 0]
  const stage = { isShown: false }
  async function* open(): AsyncGenerator<ScoreJob> {
    for await (const job of scoreJobs(plan, lines, () => ({ given: {} }))) {
      if (done.has(keyOf(job))) kept++
      else {
        total++
        yield job
      }
    }
    // how many there are is known when everything is asked
    progress.start('judge', total)
    stage.isShown = true
    for (let tick = 0; tick < made; tick++) progress.tick('judge', tick < failed)
  }
  const tick: Progress['tick'] = (name, isFailure) => {
    made++
    if (isFailure) failed++
    if (stage.isShown) progress.tick(name, isFailure)
  }
  try {
    const scored = await scoreLines(plan, open(), models, { tick }, signal)
    return { ...scored, kept }
  } finally {
    if (stage.isShown) progress.end('judge')
  }
}
