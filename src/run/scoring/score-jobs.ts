import type { Answer } from '../../types.ts'
import type { IndexLine, TrialLine } from '../../records.ts'
import { needsOutcome } from './gather-outcomes.ts'
import type { Needed, ScoredRow } from './gather-needs.ts'
import type { ScorerEntry } from './scorer-entry.ts'
import { readScores } from '../results/read-lines.ts'

/** One run of a scorer on an answer. */
export interface ScoreJob {
  readonly trial: TrialLine
  readonly answer: Answer
  readonly row: ScoredRow
  readonly entry: ScorerEntry
  readonly run: number
  readonly needed: Needed
}

export interface ScoreJobs {
  readonly scorers: readonly ScorerEntry[]
  readonly judgeRuns: number
  /** The methods whose trials are scored, by id. */
  readonly rows: ReadonlyMap<string, ScoredRow>
}

/** What a scorer gets of other trials and scores; undefined where it is not asked about this trial. */
export type NeededBy = (trial: TrialLine, entry: ScorerEntry) => Needed | undefined

/** All that a complete run has scored, in order; a trial that failed has nothing to score and is counted by the table, but for scorers that need outcomes. */
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

/** A run of a scorer on a trial. */
export const placeOf = ({ trial, entry, run }: ScoreJob): string => `${trial.id} ${entry.id} ${run}`

/** The same, made of what the scorer gets of other trials. */
export const keyOf = (job: ScoreJob): string => `${placeOf(job)} ${job.needed.digest ?? ''}`

/** Keys of the scores that need not be made again; a failure is asked again. */
export async function scoresDone(scores: string): Promise<ReadonlySet<string>> {
  const done = new Set<string>()
  for await (const line of readScores(scores)) {
    if (!line.failure) done.add(`${line.trial} ${line.scorerId} ${line.run} ${line.against ?? ''}`)
  }
  return done
}
