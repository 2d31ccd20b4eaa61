import { lower, type Span, type Word } from './sentence.ts'

/** The preposition that leads to a phrase starting at `start`, with nothing but articles and the like between; none before `least`. */
export function prepositionBefore(words: readonly Word[], start: number, least: number): Span | undefined {
  let at = start - 1
  while (at >= least && SMALL.has(words[at]?.pos ?? 'X')) at--
  return at >= least && words[at]?.pos === 'ADP' ? { from: at, to: at + 1 } : undefined
}

/** Whether a preposition leads to a place, a time or a means and never to a subject; "until" and "after" may. */
export const isPlainPreposition = (word: Word | undefined): boolean => PLAIN.has(lower(word))

const SMALL: ReadonlySet<string> = new Set(['DET', 'PRON', 'ADJ'])
const PLAIN: ReadonlySet<string> = new Set(
  'in on at by for from with of to into onto through over under between among during without about against near'.split(
    ' ',
  ),
)
