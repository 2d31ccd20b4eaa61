import { answerChoice, answerQuestion, answerSummary, answerTurn } from '../tasks/answers.ts'
import { promptFor } from '../tasks/index.ts'
import { pieceCount } from '../text/contains-answer.ts'
import type {
  AnswersWanted,
  AnswerStyle,
  Kind,
  Passage,
  Prompt,
  PromptTemplates,
  Query,
  Reference,
  Task,
} from '../types.ts'

/** A question, and how to answer it. */
export interface AnswerRequest {
  readonly query: Query
  readonly kind: Kind
  readonly style: AnswerStyle
}

/** The answer style of a dataset where every question is answerable: without "unanswerable". */
export const withoutUnanswerable = (answers: AnswersWanted): AnswersWanted =>
  answers === 'short' ? 'span' : answers === 'by-reference' ? 'span-by-reference' : answers

/** The answer style of a question; by its reference, short or span up to six words, else a sentence. */
export function styleOf(answers: Exclude<AnswersWanted, 'none'>, reference?: Reference): AnswerStyle {
  if (answers !== 'by-reference' && answers !== 'span-by-reference') return answers
  if (reference?.kind !== 'answer' || reference.accepted.length === 0) return 'sentence'
  const fewest = Math.min(...reference.accepted.map(({ text }) => pieceCount(text)))
  return fewest > 6 ? 'sentence' : answers === 'by-reference' ? 'short' : 'span'
}

/** Runs the answer task of a question's kind with this context. */
export function runAnswerTask<R>(
  { query, kind, style }: AnswerRequest,
  context: string,
  run: <I>(task: Task<I, string>, input: I) => R,
): R {
  const { text: question, options = [], history = [], roles = { asks: 'user1', replies: 'user2' } } = query
  switch (kind) {
    case 'choice':
      return run(answerChoice, { question, options, context })
    case 'answer':
      return run(answerQuestion, { question, context, style })
    case 'summary':
      return run(answerSummary, { question, context })
    case 'turn':
      return run(answerTurn, { message: question, history, roles, context })
  }
}

/** The answer prompt of a question with this context; `templates` replace built-in prompts. */
export const promptOf = (request: AnswerRequest, context: string, templates: PromptTemplates): Prompt =>
  runAnswerTask(request, context, (task, input) => promptFor(task, input, templates))

/** The context of a prompt: passages by `order`, else by rank, separated by blank lines. */
export const contextText = (passages: readonly Passage[]): string =>
  passages
    .map((passage, rank) => ({ passage, place: passage.order ?? rank }))
    .sort((a, b) => a.place - b.place)
    .map(({ passage }) => passage.text)
    .join('\n\n')
