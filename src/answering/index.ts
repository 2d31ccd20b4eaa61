import { answerChoice, answerQuestion, answerSummary, answerTurn } from '../tasks/answers.ts'
import { promptFor } from '../tasks/index.ts'
import { pieceCount } from '../text/contains-answer.ts'
import type {
  Answer,
  AnswersWanted,
  AnswerStyle,
  Kind,
  Models,
  Passage,
  Prompt,
  PromptTemplates,
  Query,
  Reference,
  Task,
} from '../types.ts'
import { readChoice, readOptionText } from './read-choice.ts'

export { answerTasks } from '../tasks/answers.ts'

/** A question, and how to answer it. */
export interface Asked {
  readonly query: Query
  readonly kind: Kind
  readonly style: AnswerStyle
}

/** Answers one question from its passages. Throws ModelError when the call fails. */
export async function answer(question: Asked, passages: readonly Passage[], models: Models): Promise<Answer> {
  const { kind, style, query } = question
  const text = await runAnswerTask(question, contextText(passages), (task, input) => models.run(task, input))
  if (kind !== 'choice') return { text: kind === 'answer' ? conclusion(text, style) : text }
  const { options = [] } = query
  if (models.replies === 'option-text') return { text, ...readOptionText(text, options) }
  const mark = models.replies === 'letter' ? 'letter' : 'number'
  return { text, choice: readChoice(text, options, mark) }
}

/** The text after the first "Answer:" of a reasoned reply, or all of it (HippoRAG 2's reader). */
function conclusion(reply: string, style: AnswerStyle) {
  if (style !== 'reasoned') return reply
  const [, after = ''] = /Answer:\s*([^]*)$/.exec(reply) ?? []
  return after.trim() || reply
}

/** An answer text, with the option that it names if the question has options. */
export const answerOfText = ({ options }: Query, text: string): Answer =>
  options ? { text, choice: readChoice(text, options) } : { text }

/** The fixed answer without context; undefined for a turn, which needs none. */
export function cannedAnswer(kind: Kind, style: AnswerStyle): Answer | undefined {
  if (kind === 'turn') return undefined
  if (kind === 'choice') return { text: '', choice: null, canned: true }
  const isShort = kind === 'answer' && style !== 'sentence'
  const text = isShort ? 'Unanswerable' : 'There is no information to answer this question.'
  return { text, canned: true }
}

/** The answer style of a dataset where every question is answerable: without "unanswerable". */
export function withoutUnanswerable(answers: AnswersWanted): AnswersWanted {
  if (answers === 'short') return 'span'
  return answers === 'by-reference' ? 'span-by-reference' : answers
}

/** The answer style of a question; by its reference, short or span up to six words, else a sentence. */
export function styleOf(answers: Exclude<AnswersWanted, 'none'>, reference?: Reference): AnswerStyle {
  if (answers !== 'by-reference' && answers !== 'span-by-reference') return answers
  if (reference?.kind !== 'answer' || reference.accepted.length === 0) return 'sentence'
  const fewest = Math.min(...reference.accepted.map(({ text }) => pieceCount(text)))
  if (fewest > 6) return 'sentence'
  return answers === 'by-reference' ? 'short' : 'span'
}

/** Runs the answer task of a question's kind with this context. */
function runAnswerTask<R>(
  { query, kind, style }: Asked,
  context: string,
  run: <I>(task: Task<I, string>, input: I) => R,
): R {
  const usualRoles = { asks: 'user1', replies: 'user2' }
  const { text: question, options = [], history = [], roles = usualRoles } = query
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
export const promptOf = (request: Asked, context: string, templates: PromptTemplates): Prompt =>
  runAnswerTask(request, context, (task, input) => promptFor(task, input, templates))

/** The context of a prompt: passages by `order`, else by rank, separated by blank lines. */
export const contextText = (passages: readonly Passage[]): string =>
  passages
    .map((passage, rank) => ({ passage, place: passage.order ?? rank }))
    .sort((a, b) => a.place - b.place)
    .map(({ passage }) => passage.text)
    .join('\n\n')
