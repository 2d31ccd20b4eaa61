import { answerChoice } from '../tasks/answer-choice.ts'
import { answerQuestion } from '../tasks/answer-question.ts'
import type { Answer, AnswerStyle, Kind, Models, Passage, Query } from '../types.ts'
import { readChoice } from './read-choice.ts'
import { readOptionText } from './read-option-text.ts'

/** The answer prompts, by kind of question: the same for every method; their hashes stand in every manifest. */
export const answerTasks = { choice: answerChoice, answer: answerQuestion } as const

/** Whether a task is an answer prompt. */
export const isAnswerTask = ({ name }: { readonly name: string }): boolean =>
  Object.values(answerTasks).some((task) => task.name === name)

/** Kinds of question that can be answered so far. */
export const answerable = (kind: Kind): kind is AnswerableKind => kind in answerTasks

export type AnswerableKind = keyof typeof answerTasks

/** Asks one question with its context, in the order in which it is to be read. Throws ModelError when the call fails. */
export async function answer(
  asked: { readonly query: Query; readonly kind: AnswerableKind; readonly style: AnswerStyle },
  passages: readonly Passage[],
  models: Models,
): Promise<Answer> {
  const { query, kind, style } = asked
  const context = inReadingOrder(passages)
    .map((passage) => passage.text)
    .join('\n\n')
  switch (kind) {
    case 'choice': {
      const options = query.options ?? []
      const text = await models.run(answerChoice, { question: query.text, options, context })
      return models.replies === 'option-text'
        ? { text, ...readOptionText(text, options) }
        : { text, choice: readChoice(text, options) }
    }
    case 'answer':
      return { text: await models.run(answerQuestion, { question: query.text, context, style }) }
  }
}

/** By their `order`; a passage without one stands where its rank puts it. */
const inReadingOrder = (passages: readonly Passage[]): readonly Passage[] =>
  passages
    .map((passage, rank) => ({ passage, place: passage.order ?? rank }))
    .sort((a, b) => a.place - b.place)
    .map(({ passage }) => passage)

/** What is answered, without a call, when a method that should find a context finds none. */
export function cannedAnswer(kind: AnswerableKind, style: AnswerStyle): Answer {
  if (kind === 'choice') return { text: '', choice: null, canned: true }
  return { text: style === 'short' ? 'Unanswerable' : 'There is no information to answer this question.', canned: true }
}
