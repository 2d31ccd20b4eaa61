import type { Answer, AnswerStyle, Kind, Models, Passage, Query } from '../types.ts'
import { type AnswerRequest, contextText, runAnswerTask } from './prompt.ts'
import { readChoice, readOptionText } from './read-choice.ts'

export { answerTasks } from '../tasks/answers.ts'
export { type AnswerRequest as Asked, contextText, promptOf, styleOf, withoutUnanswerable } from './prompt.ts'

/** Answers one question from its passages. Throws ModelError when the call fails. */
export async function answer(question: AnswerRequest, passages: readonly Passage[], models: Models): Promise<Answer> {
  const { kind, style, query } = question
  const text = await runAnswerTask(question, contextText(passages), (task, input) => models.run(task, input))
  if (kind !== 'choice') return { text: kind === 'answer' ? conclusion(text, style) : text }
  const { options = [] } = query
  return models.replies === 'option-text'
    ? { text, ...readOptionText(text, options) }
    : { text, choice: readChoice(text, options, models.replies === 'letter' ? 'letter' : 'number') }
}

/** The text after the first "Answer:" of a reasoned reply, or all of it (HippoRAG 2's reader). */
function conclusion(reply: string, style: AnswerStyle): string {
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
  return {
    text:
      kind === 'answer' && style !== 'sentence' ? 'Unanswerable' : 'There is no information to answer this question.',
    canned: true,
  }
}
