import type { Answer, AnswerStyle, Kind, Models, Passage, Query } from '../types.ts'
import { type Asked, contextText, runAnswerTask } from './prompt.ts'
import { readChoice, readOptionText } from './read-choice.ts'

export { answerTasks } from '../tasks/answers.ts'
export { type Asked, contextText, promptOf, styleOf, withoutUnanswerable } from './prompt.ts'

/** Asks one question with its context, in reading order. Throws ModelError when the call fails. */
export async function answer(asked: Asked, passages: readonly Passage[], models: Models): Promise<Answer> {
  const { kind, style, query } = asked
  const text = await runAnswerTask(asked, contextText(passages), (task, input) => models.run(task, input))
  if (kind !== 'choice') return { text: kind === 'answer' ? conclusion(text, style) : text }
  const { options = [] } = query
  return models.replies === 'option-text'
    ? { text, ...readOptionText(text, options) }
    : { text, choice: readChoice(text, options, models.replies === 'letter' ? 'letter' : 'number') }
}

/** Of a reply with thoughts what follows the first "Answer:", or all of it where nothing does (HippoRAG 2's reader). */
function conclusion(reply: string, style: AnswerStyle): string {
  if (style !== 'reasoned') return reply
  const [, after = ''] = /Answer:\s*([^]*)$/.exec(reply) ?? []
  return after.trim() || reply
}

/** An answer in words; where the question has options, with the one that it names. */
export const givenAnswer = ({ options }: Query, text: string): Answer =>
  options ? { text, choice: readChoice(text, options) } : { text }

/** The answer, without a call, where a method finds no context; undefined for a turn, which needs none. */
export function cannedAnswer(kind: Kind, style: AnswerStyle): Answer | undefined {
  if (kind === 'turn') return undefined
  if (kind === 'choice') return { text: '', choice: null, canned: true }
  return {
    text:
      kind === 'answer' && style !== 'sentence' ? 'Unanswerable' : 'There is no information to answer this question.',
    canned: true,
  }
}
