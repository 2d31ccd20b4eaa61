import { countEach, itemAt, valueOf } from '../../basics/collections.ts'
import { placesOf } from '../../datasets/index.ts'
import { ModelError } from '../../errors.ts'
import { draftQuestion, type DraftedQuestion } from '../../tasks/pieces.ts'
import { normaliseAnswer } from '../../text/words.ts'
import type { Chunk, Document, Models } from '../../types.ts'
import { tokenF1 } from '../../scorers/measures/answers/token-f1.ts'
import { answerQuestion } from '../../tasks/answers.ts'

export interface Drafting extends DraftChecks {
  readonly documents: readonly Document[]
  /** In the order in which they are tried; from the start again once all were, then for other questions. */
  readonly chunks: readonly Chunk[]
  readonly count: number
  readonly isWritable: (draft: LocatedDraft) => boolean
  /** Raised when no more calls may be made; its reason is thrown. */
  readonly stop: AbortSignal
}

/** Questions that passed every check, and what became of all drafts. */
export interface Drafted {
  readonly questions: readonly LocatedDraft[]
  readonly attempts: number
  readonly leftOut: Readonly<Record<string, number>>
  readonly firstFailure?: string
}

/** Drafts at most for each question. */
export const attemptsEach = 3

/**
 * Drafts questions until enough pass their checks, or `attemptsEach` drafts for each were asked for; in rounds, so that
 * the calls are the same however many are made at once.
 */
export async function draftQuestions(drafting: Drafting, models: Models): Promise<Drafted> {
  const { documents, chunks, count, isWritable, stop } = drafting
  const byId = new Map(documents.map((document) => [document.id, document]))
  const already = new Map<Chunk, readonly string[]>()
  const questionKeys = new Set<string>()
  const questions: LocatedDraft[] = []
  const refusals: Refusal[] = []
  let attempts = 0

  /** The draft with its evidence as the document has it, or why it is left out. */
  const locate = (draft: DraftedQuestion | ModelError, chunk: Chunk): LocatedDraft | Refusal => {
    if (draft instanceof ModelError) return draft
    const { question, answer, evidence } = oneLine(draft)
    if (question !== '') already.set(chunk, [...(already.get(chunk) ?? []), question])
    if (question === '' || answer === '' || evidence === '' || normaliseAnswer(answer) === 'unanswerable')
      return 'without a question, an answer or evidence'
    const key = normaliseAnswer(question)
    if (questionKeys.has(key)) return 'asked already'
    const { text } = valueOf(byId, chunk.documentId)
    const [place, second] = placesOf(evidence, text)
    if (!place) return 'evidence that does not stand in the document'
    if (second) return 'evidence that stands in several places of the document'
    questionKeys.add(key)
    const locatedDraft = {
      question,
      answer,
      documentId: chunk.documentId,
      evidence: text.slice(place.start, place.end),
    }
    return isWritable(locatedDraft) ? locatedDraft : 'texts that the file cannot hold (white space around an id)'
  }

  while (questions.length < count && chunks.length > 0 && attempts < attemptsEach * count) {
    const from = attempts % chunks.length
    const round = chunks.slice(from, from + Math.min(count - questions.length, attemptsEach * count - attempts))
    attempts += round.length
    const drafts = await Promise.all(
      round.map((chunk) =>
        models.run(draftQuestion, { text: chunk.text, already: already.get(chunk) ?? [] }).catch(asRefusal),
      ),
    )
    const outcomes = drafts.map((draft, index) => locate(draft, itemAt(round, index)))
    const candidates = outcomes.filter((outcome): outcome is LocatedDraft => !isRefusal(outcome))
    const refusalOf = await checkDrafts(candidates, drafting, models)
    stop.throwIfAborted()
    questions.push(...candidates.filter((_, index) => refusalOf[index] === undefined))
    refusals.push(...outcomes.filter(isRefusal), ...refusalOf.filter((refusal) => refusal !== undefined))
  }
  const failure = refusals.find((refusal) => refusal instanceof ModelError)
  return {
    questions,
    attempts,
    leftOut: Object.fromEntries(countEach(refusals.map(reasonOf))),
    ...(failure && { firstFailure: failure.message }),
  }
}

const oneLine = ({ question, answer, evidence }: DraftedQuestion): DraftedQuestion => ({
  question: question.replace(/\s+/g, ' ').trim(),
  answer: answer.replace(/\s+/g, ' ').trim(),
  evidence: evidence.trim(),
})

const reasonOf = (refusal: Refusal): string => {
  if (typeof refusal === 'string') return refusal
  if (refusal.kind === 'reply') return 'replies that could not be read'
  return refusal.kind === 'refused' ? 'refused by the model' : `calls that failed (${refusal.kind})`
}

/** A draft whose evidence was found: `evidence` is as the document has it. */
export interface LocatedDraft extends DraftedQuestion {
  readonly documentId: string
}

/** What the answers of the model must be like. */
export interface DraftChecks {
  /** Least token F1, 0 to 1, of an answer and the drafted one for the two to count as the same. */
  readonly minF1: number
  /** Keep questions that the model answers right without any context. */
  readonly keepKnown: boolean
}

/** Why a draft is left out; a call that failed, with its error. */
type Refusal = string | ModelError

const isRefusal = (outcome: LocatedDraft | Refusal): outcome is Refusal =>
  outcome instanceof ModelError || typeof outcome === 'string'

/** Why each draft is refused, after answers with and without its evidence; undefined for an accepted one. */
async function checkDrafts(
  drafts: readonly LocatedDraft[],
  { minF1, keepKnown }: DraftChecks,
  models: Models,
): Promise<readonly (Refusal | undefined)[]> {
  const isReached = async ({ question, answer }: LocatedDraft, context: string): Promise<boolean> => {
    const reply = await models.run(answerQuestion, { question, context, style: 'short' })
    return tokenF1(reply, answer, 1) >= minF1
  }
  const check = async (draft: LocatedDraft): Promise<Refusal | undefined> => {
    if (!(await isReached(draft, draft.evidence))) return 'not answered from their evidence'
    if (!keepKnown && (await isReached(draft, ''))) return 'answered right without their evidence'
    return undefined
  }
  return Promise.all(drafts.map((draft) => check(draft).catch(asRefusal)))
}

/** The error of a call that failed, as an outcome; every other error is thrown. */
function asRefusal(error: unknown): ModelError {
  if (error instanceof ModelError) return error
  throw error
}
