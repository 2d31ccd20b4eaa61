import { groupBy } from '../../basics/collections.ts'
import { rounding } from '../../math/statistics/descriptive.ts'
import type { TouchingDocument } from '../differences.ts'
import type { Outcome } from '../gather/outcomes.ts'

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
  /** Set where score and documents changed: the changed documents of its evidence and contexts. */
  readonly documents?: readonly TouchingDocument[]
}

/** A question, and the changed documents of its evidence in the first run. */
export interface TouchedQuestion {
  readonly id: string
  readonly documents: readonly TouchingDocument[]
}

/** The questions of a row in a run, in trial order. */
export type Outcomes = ReadonlyMap<string, Outcome>

export type QuestionChanges = ReturnType<typeof questionChanges>

/**
 * Compares the outcomes of common questions, in the order of the first run. `least`: least score of the metric;
 * `byText`: questions of equal text and reference are common under any id. `missing`: without a counterpart: absent in
 * the second run, of another text or reference there, or with a score that is gone without a failure. `evidenceGone`:
 * those whose evidence is in no document of the second run.
 */
export function questionChanges(before: Outcomes, after: Outcomes, least: number, byText: boolean) {
  const afterIds = counterparts(before, after, byText)
  const pairedIds = new Set(afterIds.values())
  const questions: QuestionChange[] = []
  const missing: (TouchedQuestion & { readonly why: 'notAsked' | 'changed' | 'noScore' })[] = []
  const withoutEvidence: TouchedQuestion[] = []
  for (const [id, old] of before) {
    const question = { id, documents: old.evidence }
    const afterId = afterIds.get(id) ?? id
    const now = afterIds.has(id) ? after.get(afterId) : undefined
    if (!now) {
      missing.push({ ...question, why: after.has(id) && !pairedIds.has(id) ? 'changed' : 'notAsked' })
      continue
    }
    if (old.score !== null && now.score === null && !now.failed) missing.push({ ...question, why: 'noScore' })
    if (now.score !== null && now.hasMissing && !old.hasMissing) withoutEvidence.push(question)
    const change = changeOf(old, now, least)
    const hasMoved = change === 'regressed' || change === 'fixed'
    const documents = hasMoved ? touchingDocuments(old, now) : []
    questions.push({
      id,
      change,
      before: old.score,
      // the tests treat scores that differ only by rounding as equal
      after: isNear(old, now) ? old.score : now.score,
      ...(afterId !== id && { afterId }),
      ...(documents.length > 0 && { documents }),
    })
  }
  const changedIds = new Set(missing.flatMap(({ id, why }) => (why === 'changed' ? [id] : [])))
  const onlyAfter = [...after.keys()].filter((id) => !pairedIds.has(id) && !changedIds.has(id)).length
  return { questions, missing, evidenceGone: withoutEvidence, onlyAfter }
}

/** Ids of the second run by those of the first. */
function counterparts(before: Outcomes, after: Outcomes, byText: boolean) {
  const isSame = (id: string) => before.get(id)?.digest === after.get(id)?.digest
  const candidates = byText ? [...after].filter(([id]) => !isSame(id)) : []
  const byDigest = groupBy(candidates, ([, { digest }]) => digest)
  return new Map(
    Array.from(before).flatMap(([id, { digest }]) => {
      const afterId = isSame(id) ? id : byDigest.get(digest)?.shift()?.[0]
      return afterId === undefined ? [] : [[id, afterId] as const]
    }),
  )
}

/** Changed documents of the evidence, then of the contexts, without duplicates. */
function touchingDocuments(before: Outcome, after: Outcome) {
  const documents = [...before.evidence, ...after.evidence, ...before.touching, ...after.touching]
  return [...groupBy(documents, ({ document }) => document).values()].map(([first]) => first)
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
