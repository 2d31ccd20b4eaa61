import { groupBy } from '../../basics/collections.ts'
import { rounding } from '../../math/statistics/descriptive.ts'
import type { TouchingDocument } from '../differences.ts'
import type { Outcome, ReadRun } from '../gather/outcomes.ts'

/** Changes of a question by key, with their names in display order. */
export const changeNames = {
  regressed: 'regressed',
  failedNow: 'failed now',
  fixed: 'fixed',
  failedBefore: 'failed before',
  stillFailing: 'still failing',
  notScored: 'not scored',
  unchanged: 'unchanged',
} as const

/**
 * `regressed`, `fixed`: the score fell or rose by more than 1e-9. `stillFailing`: the least score or a failure both
 * times. `failedNow`, `failedBefore`: a score on one side, a failure on the other. `notScored`: no score and no
 * failure.
 */
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

/**
 * A question without a counterpart. `notAsked`: absent in the second run. `changed`: its id has another text or
 * reference there. `noScore`: its score is gone without a failure.
 */
interface MissingQuestion extends TouchedQuestion {
  readonly why: 'notAsked' | 'changed' | 'noScore'
}

/** A question, and the changed documents of its evidence in the first run. */
export interface TouchedQuestion {
  readonly id: string
  readonly documents: readonly TouchingDocument[]
}

export interface QuestionChanges {
  /** Common questions, in the order of the first run. */
  readonly questions: readonly QuestionChange[]
  readonly missing: readonly MissingQuestion[]
  /** Questions whose evidence is in no document of the second run. */
  readonly evidenceGone: readonly TouchedQuestion[]
  /** Number of questions in the second run only. */
  readonly onlyAfter: number
  /** Number of questions scored from a part of their repeats or judge runs. */
  readonly partlyFailed: number
}

/** The questions of a row with their outcomes, and the changed documents in its contexts. */
export interface RowOutcomes extends Pick<ReadRun, 'questions'> {
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly touching: (question: string) => readonly TouchingDocument[]
}

/**
 * Compares the outcomes of common questions. `least`: least score of the metric; `byText`: questions of equal text and
 * reference are common under any id.
 */
export function questionChanges(
  before: RowOutcomes,
  after: RowOutcomes,
  { least, byText }: { readonly least: number; readonly byText: boolean },
): QuestionChanges {
  const afterIds = counterparts(before, after, byText)
  const pairedIds = new Set(afterIds.values())
  const isUnpaired = (id: string): boolean => after.outcomes.has(id) && !pairedIds.has(id)
  const lacksEvidence = ({ questions }: RowOutcomes, id: string): boolean => questions.get(id)?.hasMissing ?? false
  const questions: QuestionChange[] = []
  const missing: MissingQuestion[] = []
  const withoutEvidence: TouchedQuestion[] = []
  let partlyFailed = 0
  for (const [id, old] of before.outcomes) {
    const question = { id, documents: before.questions.get(id)?.evidence ?? [] }
    const afterId = afterIds.get(id)
    const now = afterId === undefined ? undefined : after.outcomes.get(afterId)
    if (afterId === undefined || !now) {
      missing.push({ ...question, why: isUnpaired(id) ? 'changed' : 'notAsked' })
      continue
    }
    if (old.score !== null && now.score === null && !now.failed) missing.push({ ...question, why: 'noScore' })
    if (now.score !== null && lacksEvidence(after, afterId) && !lacksEvidence(before, id))
      withoutEvidence.push(question)
    if ([old, now].some(({ score, failed }) => failed && score !== null)) partlyFailed++
    const change = changeOf(old, now, least)
    const hasMoved = change === 'regressed' || change === 'fixed'
    const documents = hasMoved ? touchingDocuments([before, id], [after, afterId]) : []
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
  const onlyAfter = [...after.outcomes.keys()].filter((id) => !pairedIds.has(id) && !changedIds.has(id)).length
  return { questions, missing, evidenceGone: withoutEvidence, onlyAfter, partlyFailed }
}

/** Ids of the second run by those of the first. */
function counterparts(before: RowOutcomes, after: RowOutcomes, byText: boolean): ReadonlyMap<string, string> {
  const digestOf = ({ questions }: RowOutcomes, id: string): string => questions.get(id)?.digest ?? ''
  const ids = [...before.outcomes.keys()]
  const sameIds = new Set(ids.filter((id) => after.outcomes.has(id) && digestOf(before, id) === digestOf(after, id)))
  const candidates = byText ? [...after.outcomes.keys()].filter((id) => !sameIds.has(id)) : []
  const byDigest = groupBy(candidates, (id) => digestOf(after, id))
  return new Map(
    ids.flatMap((id) => {
      const afterId = sameIds.has(id) ? id : byDigest.get(digestOf(before, id))?.shift()
      return afterId === undefined ? [] : [[id, afterId] as const]
    }),
  )
}

/** Changed documents of the evidence, then of the contexts, without duplicates. */
function touchingDocuments(
  ...sides: readonly (readonly [run: RowOutcomes, id: string])[]
): readonly TouchingDocument[] {
  const evidence = sides.flatMap(([{ questions }, id]) => questions.get(id)?.evidence ?? [])
  const contexts = sides.flatMap(([{ touching }, id]) => touching(id))
  return [...groupBy([...evidence, ...contexts], ({ document }) => document).values()].map(([first]) => first)
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
