import { sentences } from '../../text/sentences.ts'

/**
 * The longest start of a text with no more than so many tokens; no character is cut in two. Found by halving; what was
 * counted once is not counted again: no token of our tokenizers goes on from a letter over a space, so what stands
 * before that space counts alone.
 */
export function longestStart(text: string, tokens: number, countTokens: (text: string) => number): string {
  const characters = Array.from(text)
  const count = (from: number, to: number): number => countTokens(characters.slice(from, to).join(''))
  // characters that are counted, and their tokens
  let [known, before] = [0, 0]
  let [fits, tooLong] = [0, firstTooLong(characters.length, tokens, (to) => count(0, to))]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >>> 1
    if (before + count(known, middle) <= tokens) {
      fits = middle
      const end = lastWordEnd(characters, known, middle)
      before += end > known ? count(known, end) : 0
      known = end
    } else tooLong = middle
  }
  return characters.slice(0, fits).join('')
}

/** More tokens than a word that is cut in two may have beyond those that it has as a whole. */
const unfinished = 500

/** Of the lengths that halving gives, the least above which nothing fits. */
function firstTooLong(length: number, tokens: number, count: (to: number) => number): number {
  let probe = 4 * tokens + unfinished
  while (probe < length && count(probe) <= 2 * tokens + unfinished) probe *= 2
  let least = length
  while (least >>> 1 >= probe && least >>> 1 > 0) least >>>= 1
  return least
}

/** Where the last word of a part ends before a space; the beginning of the part where there is none. */
function lastWordEnd(characters: readonly string[], from: number, to: number): number {
  for (let at = to - 1; at > from; at--)
    if (characters[at] === ' ' && /\p{L}/u.test(characters[at - 1] ?? '')) return at
  return from
}

/** A summary, and whether the reply was longer than asked for. */
interface CutSummary {
  readonly text: string
  readonly cut: boolean
}

/** A summary of no more than so many tokens: its whole sentences, or the longest start of the first; never empty. */
export function cutSummary(summary: string, tokens: number, countTokens: (text: string) => number): CutSummary {
  if (countTokens(summary) <= tokens) return { text: summary, cut: false }
  const end = sentences(summary).findLast((sentence) => countTokens(summary.slice(0, sentence.end)) <= tokens)?.end
  const start = end === undefined ? longestStart(summary, tokens, countTokens).trimEnd() : summary.slice(0, end)
  return { text: start === '' ? firstCharacter(summary) : start, cut: true }
}

const firstCharacter = (text: string): string => Array.from(text.trimStart())[0] ?? text
