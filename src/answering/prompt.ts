import { answerChoice, answerQuestion, answerSummary, answerTurn, type AnswerTurnInput } from '../tasks/answers.ts'
import { promptFor } from '../tasks/prompt-templates.ts'
import type { AnswerStyle, Kind, Passage, Prompt, PromptTemplates, Query } from '../types.ts'

/** A question that is to be answered, and how. */
export interface Asked {
  readonly query: Query
  readonly kind: Kind
  readonly style: AnswerStyle
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
