import { sentences } from '../../text/sentences.ts'

/** Upper bound of the tokens that cutting a word in two adds. */
const partialWordTokens = 500

/**
 * The longest prefix of a text with at most `tokens` tokens; characters stay whole. A binary search that does not count
 * prefixes which are far too long.
 */
export function longestStart(text: string, tokens: number, countTokens: (text: string) => number): string {
  const characters = Array.from(text)
  const count = (length: number): number => countTokens(characters.slice(0, length).join(''))
  let most = 4 * tokens + partialWordTokens
  while (most < characters.length && count(most) <= 2 * tokens + partialWordTokens) most *= 2
  let longest = 0
  let tooLong = characters.length
  while (tooLong - longest > 1) {
    const middle = (longest + tooLong) >>> 1
    if (middle < most && count(middle) <= tokens) longest = middle
    else tooLong = middle
  }
  return characters.slice(0, longest).join('')
}

/** A summary within its limit, and whether it was truncated. */
interface CutSummary {
  readonly text: string
  readonly cut: boolean
}

/** Truncates a summary to whole sentences, or to the longest prefix of the first sentence; never empty. */
export function cutSummary(summary: string, tokens: number, countTokens: (text: string) => number): CutSummary {
  if (countTokens(summary) <= tokens) return { text: summary, cut: false }
  const fits = ({ end }: { readonly end: number }) => countTokens(summary.slice(0, end)) <= tokens
  const end = sentences(summary).findLast(fits)?.end
  const start = end === undefined ? longestStart(summary, tokens, countTokens).trimEnd() : summary.slice(0, end)
  return { text: start === '' ? firstCharacter(summary) : start, cut: true }
}

const firstCharacter = (text: string): string => Array.from(text.trimStart())[0] ?? text
