import { answerChoice, answerQuestion, answerSummary, answerTurn, type AnswerTurnInput } from '../tasks/answers.ts'
import { promptFor } from '../tasks/index.ts'
import { pieceCount } from '../text/contains-answer.ts'
import type { AnswersWanted, AnswerStyle, Kind, Passage, Prompt, PromptTemplates, Query, Reference } from '../types.ts'

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

/** What the answerer is asked for a question with this context; `templates`: prompts in place of those of the tasks. */
export function promptOf({ query, kind, style }: Asked, context: string, templates: PromptTemplates): Prompt {
  const { text: question, options = [] } = query
  switch (kind) {
    case 'choice':
      return promptFor(answerChoice, { question, options, context }, templates)
    case 'answer':
      return promptFor(answerQuestion, { question, context, style }, templates)
    case 'summary':
      return promptFor(answerSummary, { question, context }, templates)
    case 'turn':
      return promptFor(answerTurn, turnOf(query, context), templates)
  }
}

/** A question as the last message of a conversation. */
export const turnOf = ({ text, history = [], roles = usual }: Query, context: string): AnswerTurnInput => ({
  message: text,
  history,
  roles,
  context,
})

const usual = { asks: 'user1', replies: 'user2' }

/** The context of a prompt: passages by their `order`, else by rank, a blank line between each two. */
export const contextText = (passages: readonly Passage[]): string =>
  passages
    .map((passage, rank) => ({ passage, place: passage.order ?? rank }))
    .sort((a, b) => a.place - b.place)
    .map(({ passage }) => passage.text)
    .join('\n\n')
