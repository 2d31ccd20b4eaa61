import { ModelError } from '../../errors.ts'
import { tokenF1 } from '../../scorers/measures/answers/token-f1.ts'
import { answerQuestion } from '../../tasks/answers.ts'
import type { DraftedQuestion } from '../../tasks/pieces.ts'
import type { Models } from '../../types.ts'

/** A draft whose evidence was found: `evidence` is as the document has it. */
export interface FoundDraft extends DraftedQuestion {
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
export type Refusal = string | ModelError

/** Why each draft is left out, after answers with its evidence and without; undefined for one that is kept. */
export async function checkDrafts(
  drafts: readonly FoundDraft[],
  { minF1, keepKnown }: DraftChecks,
  models: Models,
): Promise<readonly (Refusal | undefined)[]> {
  const isReached = async ({ question, answer }: FoundDraft, context: string): Promise<boolean> => {
    const reply = await models.run(answerQuestion, { question, context, style: 'short' })
    return tokenF1(reply, answer, 1) >= minF1
  }
  const check = async (draft: FoundDraft): Promise<Refusal | undefined> => {
    if (!(await isReached(draft, draft.evidence))) return 'not answered from their evidence'
    if (!keepKnown && (await isReached(draft, ''))) return 'answered right without their evidence'
    return undefined
  }
  return Promise.all(drafts.map((draft) => check(draft).catch(asRefusal)))
}

/** The error of a call that failed, as an outcome; every other error is thrown. */
export function asRefusal(error: unknown): ModelError {
  if (error instanceof ModelError) return error
  throw error
}
