import { exactly } from '../../../math/expected.ts'
import type { Budget, ExpectedContext } from '../../../types.ts'
import { filledContext, noContext } from '../../shared/expected-context.ts'
import type { GraphragOptions } from '../options.ts'

/** Tokens of a point, or of an answer on the way. */
const point = 46

/** The context of a question: text units in their share with tables beside them, text units alone, or short points. */
export function expectedContext(
  units: readonly { readonly tokens: number }[],
  budget: Budget,
  { mode, contextTokens, textShare, communityShare, basicTopK }: GraphragOptions,
): ExpectedContext {
  if (units.length === 0) return noContext
  const lengths = units.map(({ tokens }) => tokens)
  const tokens = Math.min(contextTokens, budget.tokens)
  if (mode === 'basic') return filledContext(lengths, budget, { passages: basicTopK, tokens })
  if (mode !== 'local') {
    const expected = Math.min(tokens, budget.passages * point)
    return { passages: exactly(budget.passages), tokens: { low: 0, expected, high: tokens } }
  }
  const quoted = filledContext(lengths, { ...budget, tokens: tokens * textShare })
  const tables = tokens * (1 - textShare - communityShare)
  const expected = quoted.tokens.expected + 0.9 * tables
  const passages = Math.min(budget.passages, quoted.passages.expected + 1)
  return {
    passages: { low: 1, expected: passages, high: budget.passages },
    tokens: { low: Math.min(expected, tables / 2), expected, high: tokens },
  }
}
