import { memoise } from '../../basics/memoise.ts'
import type { Models } from '../../types.ts'

/** Counts the tokens of texts, each once: the rows of an index come again in every question. */
export const counted = (models: Pick<Models, 'countTokens'>): ((text: string) => number) =>
  memoise((text: string) => models.countTokens(text))
