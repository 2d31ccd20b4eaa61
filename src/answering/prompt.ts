import { answerChoice, answerQuestion, answerSummary, answerTurn, type AnswerTurnInput } from '../tasks/answers.ts'
import type { AnswerStyle, Kind, Passage, Prompt, Query } from '../types.ts'

/** A question that is to be answered, and how. */
export interface Asked {
  readonly query: Query
  readonly kind: Kind
  readonly style: AnswerStyle
}

/** What the answerer is asked for a question with this context. */
export function promptOf({ query, kind, style }: Asked, context: string): Prompt {
  const { text: question, options = [] } = query
  switch (kind) {
    case 'choice':
      return answerChoice.prompt({ question, options, context })
    case 'answer':
      return answerQuestion.prompt({ question, context, style })
    case 'summary':
      return answerSummary.prompt({ question, context })
    case 'turn':
      return answerTurn.prompt(turnOf(query, context))
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

/** The context of a prompt: passages by their `order`, a blank line between each two; one without an order stands where its rank puts it. */
export const contextText = (passages: readonly Passage[]): string =>
  passages
    .map((passage, rank) => ({ passage, place: passage.order ?? rank }))
    .sort((a, b) => a.place - b.place)
    .map(({ passage }) => passage.text)
    .join('\n\n')
