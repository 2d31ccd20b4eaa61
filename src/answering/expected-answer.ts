import { exactly, sumOf, times } from '../math/expected/estimate.ts'
import { noCalls } from '../math/expected/usage.ts'
import type { AnswerStyle, Estimate, ExpectedContext, ExpectedUsage, Method, Prompt, Query } from '../types.ts'
import { answerTasks, type AnswerableKind } from './index.ts'

/** An answer before it is asked for. `tokens` are those of its text, 0 where it is a fixed one without a call. */
export interface ExpectedAnswer {
  readonly usage: ExpectedUsage
  readonly tokens: Estimate
}

/** What answering one question is expected to cost with such a context: the answer prompt, rendered with the question. */
export function expectedAnswer(
  { query, kind, style }: { readonly query: Query; readonly kind: AnswerableKind; readonly style: AnswerStyle },
  { passages, tokens }: ExpectedContext,
  method: Pick<Method, 'context'>,
  countTokens: (text: string) => number,
): ExpectedAnswer {
  const sure = method.context === 'none'
  const asked = {
    low: sure || passages.low > 0 ? 1 : 0,
    expected: sure || passages.expected > 0 ? 1 : 0,
    high: sure || passages.high > 0 ? 1 : 0,
  }
  const reply = replyTokens(kind, style)
  const answer = times(reply, asked)
  const empty = countOf(promptOf(query, kind, style, ''), countTokens)
  // a mark stands for the context, which is counted apart
  const filled = countOf(promptOf(query, kind, style, 'x'), countTokens) - countTokens('x')
  // between two passages stands a blank line
  const between = { low: 0, expected: Math.max(0, passages.expected - 1), high: Math.max(0, passages.high - 1) }
  const shown = sumOf(exactly(sure ? empty : filled), tokens, between)
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

function promptOf({ text: question, options = [] }: Query, kind: AnswerableKind, style: AnswerStyle, context: string) {
  switch (kind) {
    case 'choice':
      return answerTasks.choice.prompt({ question, options, context })
    case 'answer':
      return answerTasks.answer.prompt({ question, context, style })
  }
}

const countOf = ({ messages }: Prompt, countTokens: (text: string) => number): number =>
  messages.reduce((sum, { content }) => sum + countTokens(content), 0)

/** Tokens of a reply: the number of an option, a span, or a sentence (expected: measured with the offline provider on the sample dataset). */
function replyTokens(kind: AnswerableKind, style: AnswerStyle): Estimate {
  if (kind === 'choice') return { low: 1, expected: 1, high: 8 }
  return style === 'short' ? { low: 1, expected: 3, high: 30 } : { low: 4, expected: 33, high: 100 }
}
