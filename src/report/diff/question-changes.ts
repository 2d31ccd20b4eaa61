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
export interface MissingQuestion extends TouchedQuestion {
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
 * Matches questions by id where text and reference are equal; `byText` also across ids. `least`: least score of the
 * metric.
 */
export function questionChanges(
  before: RowOutcomes,
  after: RowOutcomes,
  { least, byText }: { readonly least: number; readonly byText: boolean },
): QuestionChanges {
  const digestOf = ({ questions }: RowOutcomes, id: string): string => questions.get(id)?.digest ?? ''
  const isSame = (id: string): boolean =>
    before.outcomes.has(id) && after.outcomes.has(id) && digestOf(before, id) === digestOf(after, id)
  const candidates = new Map<string, string[]>()
  for (const id of byText ? after.outcomes.keys() : []) {
    const digest = digestOf(after, id)
    if (!isSame(id)) candidates.set(digest, [...(candidates.get(digest) ?? []), id])
  }
  const pairs = Array.from(before.outcomes, ([id, old]) => {
    const afterId = isSame(id) ? id : candidates.get(digestOf(before, id))?.shift()
    const now = afterId === undefined ? undefined : after.outcomes.get(afterId)
    return { id, afterId, old, now }
  })
  const pairedIds = new Set(pairs.map(({ afterId }) => afterId))
  const isOther = (id: string): boolean => after.outcomes.has(id) && !pairedIds.has(id)
  const withDocuments = (id: string): TouchedQuestion => ({ id, documents: before.questions.get(id)?.evidence ?? [] })
  const missing = pairs.flatMap(({ id, old, now }): MissingQuestion[] => {
    if (!now) return [{ ...withDocuments(id), why: isOther(id) ? 'changed' : 'notAsked' }]
    return old.score !== null && now.score === null && !now.failed ? [{ ...withDocuments(id), why: 'noScore' }] : []
  })
  const changedIds = new Set(missing.flatMap(({ id, why }) => (why === 'changed' ? [id] : [])))
  const isGone = ({ questions }: RowOutcomes, id: string): boolean => questions.get(id)?.hasMissing ?? false
  return {
    questions: pairs.flatMap(({ id, afterId = id, old, now }): QuestionChange[] => {
      if (!now) return []
      // the tests treat scores that differ only by rounding as equal
      const score = isNear(old, now) ? old.score : now.score
      const change = changeOf(old, now, least)
      const documents = documentChanges.includes(change) ? restsOn([before, id], [after, afterId]) : []
      return [
        {
          id,
          change,
          before: old.score,
          after: score,
          ...(afterId !== id && { afterId }),
          ...(documents.length > 0 && { documents }),
        },
      ]
    }),
    missing,
    evidenceGone: pairs.flatMap(({ id, afterId = id, now }) =>
      now && now.score !== null && isGone(after, afterId) && !isGone(before, id) ? [withDocuments(id)] : [],
    ),
    onlyAfter: [...after.outcomes.keys()].filter((id) => !pairedIds.has(id) && !changedIds.has(id)).length,
    partlyFailed: pairs.filter(
      ({ old, now }) => now && [old, now].some(({ score, failed }) => failed && score !== null),
    ).length,
  }
}

const documentChanges: readonly Change[] = ['regressed', 'fixed']

/** Changed documents of the evidence, then of the contexts, without duplicates. */
function restsOn(...sides: readonly (readonly [run: RowOutcomes, id: string])[]): readonly TouchingDocument[] {
  const all = sides.flatMap(([{ questions, touching }, id]) => [
    ...(questions.get(id)?.evidence ?? []),
    ...touching(id),
  ])
  const evidence = all.filter((entry) => entry.evidence)
  const contexts = all.filter(({ document }) => !evidence.some((entry) => entry.document === document))
  return [...new Map([...evidence, ...contexts].map((entry) => [entry.document, entry])).values()]
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
