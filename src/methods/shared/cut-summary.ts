import { sentences } from '../../text/sentences.ts'
import { longestStart } from './longest-start.ts'

/** A summary, and whether the reply was longer than asked for. */
export interface CutSummary {
  readonly text: string
  readonly cut: boolean
}

/**
 * A summary of no more than so many tokens: its whole sentences that fit, or the longest start of the first where not even that fits. One
 * character is left in any case, so that no text becomes empty.
 */
export function cutSummary(summary: string, tokens: number, countTokens: (text: string) => number): CutSummary {
  if (countTokens(summary) <= tokens) return { text: summary, cut: false }
  const end = sentences(summary).findLast((sentence) => countTokens(summary.slice(0, sentence.end)) <= tokens)?.end
  const start = end === undefined ? longestStart(summary, tokens, countTokens).trimEnd() : summary.slice(0, end)
  return { text: start === '' ? firstCharacter(summary) : start, cut: true }
}

const firstCharacter = (text: string): string => Array.from(text.trimStart())[0] ?? text
