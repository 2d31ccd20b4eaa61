import { memoise } from '../../basics/memoise.ts'
import { linesOf } from '../../text/tokens.ts'
import type { Models } from '../../types.ts'

/** Counts the tokens of texts, each once: the rows of an index come again in every question. */
export const counted = (models: Pick<Models, 'countTokens'>): ((text: string) => number) =>
  memoise((text: string) => models.countTokens(text))

/** Counts the tokens of texts that share most of their lines, each line once. */
export function countedByLines(count: (text: string) => number): (text: string) => number {
  const ofLines = memoise(count)
  return (text) => linesOf(text).reduce((sum, line) => sum + ofLines(line), 0)
}
