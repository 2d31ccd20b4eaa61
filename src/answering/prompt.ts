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

/** A question that is to be answered, and how. */
export interface Asked {
  readonly query: Query
  readonly kind: Kind
  readonly style: AnswerStyle
}

/** How answers are asked for in a dataset of which every question has one: none is offered "unanswerable". */
export const withoutUnanswerable = (wanted: AnswersWanted): AnswersWanted =>
  wanted === 'short' ? 'span' : wanted === 'by-reference' ? 'span-by-reference' : wanted

/** How the answer to a question is asked for: where its reference decides, short or span up to six words of that. */
export function styleOf(wanted: Exclude<AnswersWanted, 'none'>, reference?: Reference): AnswerStyle {
  if (wanted !== 'by-reference' && wanted !== 'span-by-reference') return wanted
  if (reference?.kind !== 'answer' || reference.accepted.length === 0) return 'sentence'
  const fewest = Math.min(...reference.accepted.map(({ text }) => pieceCount(text)))
  return fewest > 6 ? 'sentence' : wanted === 'by-reference' ? 'short' : 'span'
}

/** Runs the task that answers a question of its kind with this context. */
export function runAnswerTask<R>(
  { query, kind, style }: Asked,
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

/** What the answerer is asked for a question with this context; `templates`: prompts in place of those of the tasks. */
export const promptOf = (asked: Asked, context: string, templates: PromptTemplates): Prompt =>
  runAnswerTask(asked, context, (task, input) => promptFor(task, input, templates))

/** The context of a prompt: passages by their `order`, else by rank, a blank line between each two. */
export const contextText = (passages: readonly Passage[]): string =>
  passages
    .map((passage, rank) => ({ passage, place: passage.order ?? rank }))
    .sort((a, b) => a.place - b.place)
    .map(({ passage }) => passage.text)
    .join('\n\n')
