import { rowName } from '../../text/names.ts'
import type { ScoreLine, TrialLine } from '../../records.ts'
import type { OpenedModels } from '../../models/index.ts'
import { measure } from '../profile.ts'
import { openJournal } from '../results/journal.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'
import type { ScoringPlan } from './score-all.ts'
import { scoreTrial } from './score-lines.ts'

/** Scores trials of a run as they are written, so that an unfinished run has scores to show. */
export interface EarlyScores {
  readonly add: (trial: TrialLine) => Promise<void>
  readonly close: () => void
  /** Lines written, and those of them that skip. */
  readonly counts: () => { readonly made: number; readonly skipped: number }
}

/**
 * Opens scores.jsonl for the built-in scorers that need neither a model nor other trials; the rest score at the end.
 */
export async function openEarlyScores(plan: ScoringPlan, models: OpenedModels): Promise<EarlyScores> {
  const entries = plan.scorers.filter(isImmediate)
  const journal = await openJournal<ScoreLine>(plan.scores)
  let scoreCount = 0
  let skipped = 0
  return {
    async add(trial) {
      const row = plan.rows.get(trial.methodId)
      if (!row || trial.failure) return
      for (const entry of entries) {
        if (!entry.scorer.kinds.includes(trial.question.reference.kind)) continue
        const job = { trial, row, entry, run: 0, extra: { fields: {} } }
        const scoring = () => scoreTrial(job, plan, models, undefined)
        const { line } = await measure(plan.profile, 'score', rowName(trial), scoring)
        // a failure is left to the end, where it is made once
        if (line.failure) continue
        journal.append(line)
        scoreCount++
        if (line.skipped !== undefined) skipped++
      }
    },
    close: () => journal.close(),
    counts: () => ({ made: scoreCount, skipped }),
  }
}

const isImmediate = ({ scorer, options, isExternal }: ScorerEntry): boolean =>
  !scorer.judge && !isExternal && scorer.tasks === undefined && Object.keys(scorer.needs?.(options) ?? {}).length === 0
