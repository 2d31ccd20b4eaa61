import { rounding } from '../../math/statistics/descriptive.ts'
import type { Outcome, ReadRun } from './read-run.ts'

/** What may become of a question that both rows were asked, in the order in which changes are shown. */
export const changes = [
  'regressed',
  'failedNow',
  'fixed',
  'failedBefore',
  'stillFailing',
  'notScored',
  'unchanged',
] as const

/**
 * `regressed`: the score fell by more than 1e-9; `fixed`: it rose; `stillFailing`: it is the least of the metric's
 * range both times, or trials or scores failed both times; `unchanged`: any other equal score; `failedNow`,
 * `failedBefore`: a score on one side and a failure on the other; `notScored`: the scorer gave no score, though nothing
 * failed, on at least one side.
 */
export type Change = (typeof changes)[number]

/** A question before and after; a score is null where there is none. */
export interface QuestionChange {
  readonly id: string
  readonly change: Change
  readonly before: number | null
  readonly after: number | null
}

/** The questions of two rows. */
export interface QuestionChanges {
  /** Those that both rows were asked, in the order of the first. */
  readonly questions: readonly QuestionChange[]
  /** Asked of one row only, and those that have one id but another text or reference. */
  readonly onlyBefore: number
  readonly onlyAfter: number
  readonly otherQuestions: number
  /** Questions of which some trials or scores failed and the others make the score, on either side. */
  readonly partlyFailed: number
}

/** Matches the questions of two rows by id, text and reference. `least`: the least score that the metric can have. */
export function questionChanges(
  before: Pick<ReadRun, 'questions'> & { readonly outcomes: ReadonlyMap<string, Outcome> },
  after: Pick<ReadRun, 'questions'> & { readonly outcomes: ReadonlyMap<string, Outcome> },
  least: number,
): QuestionChanges {
  const questions: QuestionChange[] = []
  const counted = { onlyBefore: 0, otherQuestions: 0, partlyFailed: 0 }
  for (const [id, old] of before.outcomes) {
    const now = after.outcomes.get(id)
    if (!now) counted.onlyBefore++
    else if (before.questions.get(id)?.digest !== after.questions.get(id)?.digest) counted.otherQuestions++
    else {
      if ([old, now].some(({ score, failed }) => failed && score !== null)) counted.partlyFailed++
      // what is equal but for rounding is equal in the test too
      const score = isNear(old, now) ? old.score : now.score
      questions.push({ id, change: changeOf(old, now, least), before: old.score, after: score })
    }
  }
  const onlyAfter = [...after.outcomes.keys()].filter((id) => !before.outcomes.has(id)).length
  return { questions, ...counted, onlyAfter }
}

function changeOf(before: Outcome, after: Outcome, least: number): Change {
  if (before.score !== null && after.score !== null) {
    if (!isNear(before, after)) return after.score < before.score ? 'regressed' : 'fixed'
    return before.score <= least + rounding ? 'stillFailing' : 'unchanged'
  }
  if (before.score !== null && after.failed) return 'failedNow'
  if (after.score !== null && before.failed) return 'failedBefore'
  return before.failed && after.failed ? 'stillFailing' : 'notScored'
}

const isNear = (before: Outcome, after: Outcome): boolean =>
  before.score !== null && after.score !== null && Math.abs(after.score - before.score) <= rounding
