import { groupBy } from '../../basics/collections.ts'
import { rounding } from '../../math/statistics/descriptive.ts'
import type { Outcome, ReadRun } from '../gather/outcomes.ts'

/**
 * Changes of a question by key, with their names in display order. `regressed`, `fixed`: the score fell or rose by more
 * than 1e-9. `stillFailing`: the least score or a failure both times. `failedNow`, `failedBefore`: a score on one side,
 * a failure on the other. `notScored`: no score and no failure.
 */
export const changeNames = {
  regressed: 'regressed',
  failedNow: 'failed now',
  fixed: 'fixed',
  failedBefore: 'failed before',
  stillFailing: 'still failing',
  notScored: 'not scored',
  unchanged: 'unchanged',
} as const

export type Change = keyof typeof changeNames

/** Scores are null where there is none. */
export interface QuestionChange {
  readonly id: string
  readonly change: Change
  readonly before: number | null
  readonly after: number | null
  /** Set where the id differs in the second run. */
  readonly afterId?: string
}

/** The questions of a row in a run, in trial order. */
export type Outcomes = ReadonlyMap<string, Outcome>

export type QuestionChanges = ReturnType<typeof questionChanges>

/** A question's id per run; undefined in runs without it. */
export type QuestionIds = readonly (string | undefined)[]

/**
 * Matches questions of runs by id, text and reference. With changed files (`byText`), those that match in no other way
 * are matched by text and reference, in order.
 */
export function matchQuestions(runs: readonly Pick<ReadRun, 'questions'>[], byText: boolean): readonly QuestionIds[] {
  const isSame = (id: string) => {
    const [first, ...rest] = runs.map(({ questions }) => questions.get(id)?.digest)
    return rest.every((digest) => digest === first)
  }
  const keysOfRuns = runs.map(({ questions }) => {
    const groups = groupBy(questions, ([id, { digest }]) => JSON.stringify([digest, byText && !isSame(id) ? '' : id]))
    return Array.from(groups).flatMap(([key, members]) => members.map(([id], use) => ({ id, key: `${key} ${use}` })))
  })
  const idsByKey = new Map<string, (string | undefined)[]>()
  for (const [run, keys] of keysOfRuns.entries())
    for (const { id, key } of keys) {
      const ids = idsByKey.get(key) ?? runs.map(() => undefined)
      ids[run] = id
      idsByKey.set(key, ids)
    }
  return [...idsByKey.values()]
}

/**
 * Compares the outcomes of a row on matched questions. `least`: least score of the metric. `missing`: questions without
 * a counterpart in the second run, or with a score that is gone without a failure. `evidenceGone`: those whose evidence
 * is in no document of the second run. `onlyAfter`: the number of questions without a counterpart in the first.
 */
export function questionChanges(before: Outcomes, after: Outcomes, matches: readonly QuestionIds[], least: number) {
  const questions: QuestionChange[] = []
  const missing: { readonly id: string; readonly why: 'notAsked' | 'noScore' }[] = []
  const withoutEvidence: string[] = []
  let onlyAfter = 0
  for (const [id = '', afterId = ''] of matches) {
    const old = before.get(id)
    const now = after.get(afterId)
    if (!old && now) onlyAfter++
    if (!old) continue
    if (!now) {
      missing.push({ id, why: 'notAsked' })
      continue
    }
    if (old.score !== null && now.score === null && !now.failed) missing.push({ id, why: 'noScore' })
    if (now.score !== null && now.hasMissing && !old.hasMissing) withoutEvidence.push(id)
    questions.push({
      id,
      change: changeOf(old, now, least),
      before: old.score,
      // the tests treat scores that differ only by rounding as equal
      after: isNear(old, now) ? old.score : now.score,
      ...(afterId !== id && { afterId }),
    })
  }
  return { questions, missing, evidenceGone: withoutEvidence, onlyAfter }
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

const isNear = (before: Outcome, after: Outcome) =>
  before.score !== null && after.score !== null && Math.abs(after.score - before.score) <= rounding
