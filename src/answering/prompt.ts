import { exactly, noCalls, sumOf, times } from '../math/expected.ts'
import { answerChoice, answerQuestion, answerSummary, answerTurn, type AnswerTurnInput } from '../tasks/answers.ts'
import { promptFor } from '../tasks/index.ts'
import { pieceCount } from '../text/contains-answer.ts'
import type {
  AnswersWanted,
  AnswerStyle,
  Estimate,
  ExpectedContext,
  ExpectedUsage,
  Kind,
  Method,
  Passage,
  Prompt,
  PromptTemplates,
  Query,
  Reference,
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

/** What answering one question is expected to cost, and the tokens of the answer's text: 0 for one without a call. */
export function expectedAnswer(
  question: Asked,
  { passages, tokens }: ExpectedContext,
  method: Pick<Method, 'context'>,
  countTokens: (text: string) => number,
  templates: PromptTemplates = {},
): { readonly usage: ExpectedUsage; readonly tokens: Estimate } {
  const { kind, style } = question
  const closed = method.context === 'none'
  const sure = closed || kind === 'turn'
  const isAsked = (found: number): number => Number(sure || found > 0)
  const { low, expected, high } = passages
  const asked = { low: isAsked(low), expected: isAsked(expected), high: isAsked(high) }
  const answer = times(replyTokens(kind, style), asked)
  const empty = countOf(promptOf(question, '', templates), countTokens)
  // a mark stands for the context, which is counted apart
  const filled = countOf(promptOf(question, 'x', templates), countTokens) - countTokens('x')
  // between two passages stands a blank line
  const between = { low: 0, expected: Math.max(0, expected - 1), high: Math.max(0, high - 1) }
  const shown = sumOf(exactly(closed ? empty : filled), tokens, between)
  return {
    tokens: answer,
    usage: {
      ...noCalls,
      calls: asked,
      promptTokens: times(shown, asked),
      completionTokens: answer,
    },
  }
}

const countOf = ({ messages }: Prompt, countTokens: (text: string) => number): number =>
  messages.reduce((sum, { content }) => sum + countTokens(content), 0)

/** Tokens of a reply (expected: measured with the offline provider on the sample dataset). */
function replyTokens(kind: Kind, style: AnswerStyle): Estimate {
  if (kind === 'choice') return { low: 1, expected: 1, high: 8 }
  if (kind === 'turn') return { low: 2, expected: 15, high: 100 }
  if (kind === 'summary') return { low: 4, expected: 150, high: 1024 }
  if (style === 'reasoned') return { low: 20, expected: 120, high: 400 }
  return style !== 'sentence' ? { low: 1, expected: 3, high: 30 } : { low: 4, expected: 33, high: 100 }
}
