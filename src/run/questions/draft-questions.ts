import { countEach, itemAt, valueOf } from '../../basics/collections.ts'
import { placesOf } from '../../datasets/index.ts'
import { ModelError } from '../../errors.ts'
import { draftQuestion, type DraftedQuestion } from '../../tasks/pieces.ts'
import { normaliseAnswer } from '../../text/words.ts'
import type { Chunk, Document, Models } from '../../types.ts'
import { tokenF1 } from '../../scorers/measures/answers/token-f1.ts'
import { answerQuestion } from '../../tasks/answers.ts'

export interface Drafting {
  /** How many questions are drafted. */
  readonly count: number
  readonly documents: readonly Document[]
  /** In the order in which they are tried; from the start again once all were, then for other questions. */
  readonly chunks: readonly Chunk[]
  readonly isWritable: (draft: LocatedDraft) => boolean
  /** Raised when no more calls may be made; its reason is thrown. */
  readonly stop: AbortSignal
}

/** A draft whose evidence was found: `evidence` is as the document has it. */
export type LocatedDraft = DraftedQuestion & { readonly documentId: string }

/** Why a draft is left out; a call that failed, with its error. */
type Refusal = string | ModelError

/** Drafts at most for each question. */
export const attemptsEach = 3

/** Calls of a draft at most: to write it, to answer it with its evidence, and without. */
export const callsPerDraft = 3

/** Least token F1, 0 to 1, of an answer and the drafted one for the two to count as the same. */
const minF1 = 0.5

/**
 * Drafts questions until enough pass their checks, in rounds: the calls are the same however many are made at once.
 */
export async function draftQuestions(drafting: Drafting, models: Models) {
  const { documents, chunks, count, isWritable, stop } = drafting
  const texts = new Map(documents.map(({ id, text }) => [id, text]))
  const already = new Map<Chunk, readonly string[]>()
  const questionKeys = new Set<string>()
  const questions: LocatedDraft[] = []
  const refusals: Refusal[] = []
  const mostAttempts = attemptsEach * count
  let attempts = 0

  const draftFrom = (chunk: Chunk): Promise<DraftedQuestion | ModelError> =>
    models.run(draftQuestion, { text: chunk.text, already: already.get(chunk) ?? [] }).catch(modelError)

  /** The draft with its evidence as the document has it, or why it is left out. */
  const locate = (draft: DraftedQuestion, chunk: Chunk): LocatedDraft | string => {
    const question = oneLine(draft.question)
    const answer = oneLine(draft.answer)
    if (question !== '') already.set(chunk, [...(already.get(chunk) ?? []), question])
    if ([question, answer, draft.evidence.trim()].includes('') || normaliseAnswer(answer) === 'unanswerable')
      return 'without a question, an answer or evidence'
    const key = normaliseAnswer(question)
    if (questionKeys.has(key)) return 'asked already'
    const { documentId } = chunk
    const text = valueOf(texts, documentId)
    const [place, second] = placesOf(draft.evidence.trim(), text)
    if (!place) return 'evidence that does not stand in the document'
    if (second) return 'evidence that stands in several places of the document'
    questionKeys.add(key)
    const locatedDraft = { question, answer, documentId, evidence: text.slice(place.start, place.end) }
    return isWritable(locatedDraft) ? locatedDraft : 'texts that the file cannot hold (white space around an id)'
  }

  while (questions.length < count && chunks.length > 0 && attempts < mostAttempts) {
    const from = attempts % chunks.length
    const round = chunks.slice(from, from + Math.min(count - questions.length, mostAttempts - attempts))
    attempts += round.length
    const drafts = await Promise.all(round.map(draftFrom))
    const candidates = drafts.map((draft, index) =>
      draft instanceof ModelError ? draft : locate(draft, itemAt(round, index)),
    )
    const outcomes = await Promise.all(candidates.map((draft) => checkDraft(draft, models)))
    stop.throwIfAborted()
    for (const outcome of outcomes) {
      if (isRefusal(outcome)) refusals.push(outcome)
      else questions.push(outcome)
    }
  }
  const failure = refusals.find((refusal) => refusal instanceof ModelError)
  return {
    questions,
    attempts,
    leftOut: Object.fromEntries(countEach(refusals.map(reasonOf))),
    ...(failure && { firstFailure: failure.message }),
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const isRefusal = (outcome: LocatedDraft | Refusal): outcome is Refusal =>
  outcome instanceof ModelError || typeof outcome === 'string'

async function checkDraft(draft: LocatedDraft | Refusal, models: Models): Promise<LocatedDraft | Refusal> {
  if (isRefusal(draft)) return draft
  const { question, answer, evidence } = draft
  const isReached = async (context: string): Promise<boolean> => {
    const reply = await models.run(answerQuestion, { question, context, style: 'short' })
    return tokenF1(reply, answer, 1) >= minF1
  }
  try {
    if (!(await isReached(evidence))) return 'not answered from their evidence'
    return (await isReached('')) ? 'answered right without their evidence' : draft
  } catch (error) {
    return modelError(error)
  }
}

/** The error of a call that failed; every other error is thrown. */
function modelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error
  throw error
}

const reasonOf = (refusal: Refusal): string => {
  if (typeof refusal === 'string') return refusal
  if (refusal.kind === 'reply') return 'replies that could not be read'
  return refusal.kind === 'refused' ? 'refused by the model' : `calls that failed (${refusal.kind})`
}
