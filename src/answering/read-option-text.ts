import { answerTokens } from '../text/words.ts'

/** `tied`: other options are as near to the reply as the one chosen, which is the first of them. */
export interface OptionRead {
  readonly choice: number | null
  readonly tied?: true
}

/**
 * The option that a reply in an option's words is nearest to, as UnifiedQA's evaluation finds it: the same tokens
 * first, else the largest share of distinct tokens in both, of the longer one's length. Tokens are SQuAD's. Null where
 * no option shares a token.
 */
export function readOptionText(reply: string, options: readonly string[]): OptionRead {
  const said = answerTokens(reply)
  const nearness = options.map((option) => likeness(said, answerTokens(option)))
  const best = Math.max(0, ...nearness)
  if (best === 0) return { choice: null }
  const tied = nearness.filter((one) => one === best).length > 1
  return { choice: nearness.indexOf(best), ...(tied && { tied }) }
}

/** 2 for the same tokens in the same order, so that an option wins over one of the same words in another order. */
function likeness(said: readonly string[], option: readonly string[]): number {
  if (said.length === 0 || option.length === 0) return 0
  if (said.join(' ') === option.join(' ')) return 2
  const own = new Set(option)
  const shared = [...new Set(said)].filter((token) => own.has(token)).length
  return shared / Math.max(said.length, option.length)
}
