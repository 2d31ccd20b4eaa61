import { valueOf } from '../../basics/collections.ts'
import type { OpenedModels } from '../../models/index.ts'
import type { ScoreLine, TrialLine } from '../../records.ts'
import { addScores, type Progress, type ScoreCounts } from '../settings.ts'
import { readScores } from '../results/read-lines.ts'
import { gatherNeeds, needsOutcome, type Needed, type ScoredRow } from './gather-needs.ts'
import {
  keyOf,
  placeOf,
  scoreJobs,
  scoresDone,
  type NeededBy,
  type ScoreJob,
  scoreLines,
  type ScoringPlan,
} from './score-lines.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'
import { rename, rm } from 'node:fs/promises'
import { openJournal } from '../results/journal.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { hashOf } from '../../text/hash.ts'
import type { Outcome, RatedScore } from '../../types.ts'

/** Scores every answered trial that has no score yet; after that by those scorers that need what others have said. */
export async function scoreAll(
  plan: ScoringPlan,
  models: OpenedModels,
  progress: Progress,
  signal: AbortSignal,
): Promise<ScoreCounts> {
  const { first, later } = inTurn(plan.scorers)
  const score = (scorers: readonly ScorerEntry[], neededBy: NeededBy) =>
    scoreWith({ ...plan, scorers }, neededBy, models, progress, signal)
  const counts = await score(first, await gatherNeeds(plan.trials(), first, plan.rows))
  if (later.length === 0) return counts
  const also = await score(later, await gatherOutcomes(plan, plan.scorers, plan.rows))
  return addScores([counts, also])
}

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
  const { done, judged } = await scoresDone(plan.scores)
  let kept = 0
  let total = 0
  const current = new Map<string, string>()
  for await (const job of scoreJobs(plan, plan.trials(), neededBy)) {
    if (done.has(keyOf(job))) kept++
    else total++
    if (job.needed.digest !== undefined) current.set(placeOf(job), job.needed.digest)
  }
  if (current.size > 0) await dropScores(plan.scores, (line) => isStale(line, current))
  async function* open(): AsyncGenerator<ScoreJob> {
    const all = scoreJobs(plan, plan.trials(), neededBy)
    for await (const job of all) if (!done.has(keyOf(job))) yield job
  }
  progress.start('judge', total, plan.counts.soFar)
  try {
    return { kept, ...(await scoreLines({ ...plan, judged }, open(), models, progress, signal)) }
  } finally {
    progress.end('judge')
  }
}

/** Whether a score was made of other references or opponents than there are now. */
function isStale({ trial, scorerId, run, against }: ScoreLine, current: ReadonlyMap<string, string>): boolean {
  const digest = current.get(`${trial} ${scorerId} ${run}`)
  return digest !== undefined && against !== digest
}

/** Takes lines out of scores.jsonl; the file is replaced whole or not at all, and left alone where no line goes. */
async function dropScores(scores: string, goes: (line: ScoreLine) => boolean): Promise<void> {
  let dropped = false
  for await (const line of readScores(scores)) dropped ||= goes(line)
  if (!dropped) return
  const part = `${scores}.kept`
  await rm(part, { force: true })
  const kept = await openJournal<ScoreLine>(part)
  try {
    for await (const line of readScores(scores)) if (!goes(line)) kept.append(line)
  } finally {
    kept.close()
  }
  await rename(part, scores)
}

/**
 * Reads trials.jsonl and scores.jsonl once and gives for a trial what became of it and of the oracle's on the same
 * question and repeat; undefined for a failure that was made good later. Numbers and the oracle's answers are kept in
 * memory.
 */
async function gatherOutcomes(
  { trials, scores }: Pick<ScoringPlan, 'trials' | 'scores'>,
  all: readonly ScorerEntry[],
  rows: ReadonlyMap<string, ScoredRow>,
): Promise<(trial: TrialLine) => Needed | undefined> {
  const oracle = [...rows.values()].find(({ use, inConfig }) => use === 'oracle' && inConfig !== false)
  const answered = new Set<string>()
  const oracleTrials = new Map<string, { readonly id: string; readonly answer: string }>()
  for await (const trial of trials()) {
    if (trial.line !== 'trial' || !trial.answer) continue
    answered.add(trial.id)
    if (trial.methodId === oracle?.id) oracleTrials.set(askedOf(trial), { id: trial.id, answer: trial.answer.text })
  }
  const raters = all.filter(({ scorer }) => scorer.rates !== undefined)
  const values = new Map<string, number[]>()
  for await (const { trial, scorerId, metrics } of readScores(scores)) {
    const value = metrics?.[raters.find(({ id }) => id === scorerId)?.scorer.rates ?? '']
    if (value === undefined) continue
    const key = ratingOf(trial, scorerId)
    values.set(key, [...(values.get(key) ?? []), value])
  }
  const scoresOf = (trial: string): readonly RatedScore[] =>
    raters.flatMap(({ id, label }) => {
      const own = values.get(ratingOf(trial, id))
      return own ? [{ scorer: label, value: mean(own) }] : []
    })
  return (trial) => {
    if (!trial.answer && answered.has(trial.id)) return undefined
    const { context, answers } = valueOf(rows, trial.methodId)
    const best = answers ? undefined : oracleTrials.get(askedOf(trial))
    const outcome: Outcome = {
      ...(trial.failure && { failed: true as const }),
      ...(context && { context }),
      ...(trial.methodId === oracle?.id && { isOracle: true as const }),
      scores: scoresOf(trial.id),
      ...(best !== undefined && { oracle: { scores: scoresOf(best.id), answer: best.answer } }),
      ...(trial.evidence && { evidence: trial.evidence }),
      deep: isDeep(trial, context),
    }
    return { given: { outcome }, digest: hashOf(outcome).slice(0, 12) }
  }
}

/** Whether evidence beyond the budget can be told from evidence that was not ranked. */
const isDeep = ({ asked, context, beyond, stopped }: TrialLine, own: Outcome['context']): boolean =>
  own === 'unlimited' || beyond !== undefined || (asked !== undefined && context.length < asked && stopped === 'end')

const ratingOf = (trial: string, scorer: ScoreLine['scorerId']): string => `${trial} ${scorer}`

const askedOf = ({ corpus, question, repeat }: TrialLine): string => JSON.stringify([corpus, question.id, repeat])
