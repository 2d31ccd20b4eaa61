import { exactly, sumOf, times, noCalls } from '../math/expected.ts'
import type {
  AnswerStyle,
  Estimate,
  ExpectedContext,
  ExpectedUsage,
  Kind,
  Method,
  Prompt,
  PromptTemplates,
} from '../types.ts'
import { type Asked, promptOf } from './prompt.ts'

/** An answer before it is asked for. `tokens` are those of its text, 0 where it is a fixed one without a call. */
export interface ExpectedAnswer {
  readonly usage: ExpectedUsage
  readonly tokens: Estimate
}

/** What answering one question is expected to cost with such a context: the answer prompt, rendered. */
export function expectedAnswer(
  question: Asked,
  { passages, tokens }: ExpectedContext,
  method: Pick<Method, 'context'>,
  countTokens: (text: string) => number,
  templates: PromptTemplates = {},
): ExpectedAnswer {
  const { kind, style } = question
  const closed = method.context === 'none'
  const sure = closed || kind === 'turn'
  const asked = {
    low: sure || passages.low > 0 ? 1 : 0,
    expected: sure || passages.expected > 0 ? 1 : 0,
    high: sure || passages.high > 0 ? 1 : 0,
  }
  const reply = replyTokens(kind, style)
  const answer = times(reply, asked)
  const empty = countOf(promptOf(question, '', templates), countTokens)
  // a mark stands for the context, which is counted apart
  const filled = countOf(promptOf(question, 'x', templates), countTokens) - countTokens('x')
  // between two passages stands a blank line
  const between = { low: 0, expected: Math.max(0, passages.expected - 1), high: Math.max(0, passages.high - 1) }
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
