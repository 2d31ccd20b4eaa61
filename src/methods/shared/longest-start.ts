import { sentences } from '../../text/sentences.ts'

/**
 * The longest prefix of a text with at most `tokens` tokens; characters stay whole. A binary search that does not count
 * text twice: no token of our tokenizers spans a letter and the space after it, so text before that space counts alone.
 */
export function longestStart(text: string, tokens: number, countTokens: (text: string) => number): string {
  const characters = Array.from(text)
  const count = (from: number, to: number): number => countTokens(characters.slice(from, to).join(''))
  // the prefix of whole words that is already counted
  let countedEnd = 0
  let countedTokens = 0
  let longest = 0
  let tooLong = firstTooLong(characters.length, tokens, (to) => count(0, to))
  while (tooLong - longest > 1) {
    const middle = (longest + tooLong) >>> 1
    if (countedTokens + count(countedEnd, middle) <= tokens) {
      longest = middle
      const end = lastWordEnd(characters, countedEnd, middle)
      countedTokens += end > countedEnd ? count(countedEnd, end) : 0
      countedEnd = end
    } else tooLong = middle
  }
  return characters.slice(0, longest).join('')
}

/** Upper bound of the tokens that cutting a word in two adds. */
const partialWordTokens = 500

/** The smallest of `length`, `length / 2`, `length / 4` … above which no prefix fits. */
function firstTooLong(length: number, tokens: number, count: (to: number) => number): number {
  let probe = 4 * tokens + partialWordTokens
  while (probe < length && count(probe) <= 2 * tokens + partialWordTokens) probe *= 2
  let least = length
  while (least >>> 1 >= probe && least >>> 1 > 0) least >>>= 1
  return least
}

/** The end of the last word before a space, or `from`. */
function lastWordEnd(characters: readonly string[], from: number, to: number): number {
  for (let at = to - 1; at > from; at--)
    if (characters[at] === ' ' && /\p{L}/u.test(characters[at - 1] ?? '')) return at
  return from
}

/** A summary within its limit, and whether it was truncated. */
interface CutSummary {
  readonly text: string
  readonly cut: boolean
}

/** Truncates a summary to whole sentences, or to the longest prefix of the first sentence; never empty. */
export function cutSummary(summary: string, tokens: number, countTokens: (text: string) => number): CutSummary {
  if (countTokens(summary) <= tokens) return { text: summary, cut: false }
  const end = sentences(summary).findLast((sentence) => countTokens(summary.slice(0, sentence.end)) <= tokens)?.end
  const start = end === undefined ? longestStart(summary, tokens, countTokens).trimEnd() : summary.slice(0, end)
  return { text: start === '' ? firstCharacter(summary) : start, cut: true }
}

const firstCharacter = (text: string): string => Array.from(text.trimStart())[0] ?? text
