import { z } from 'zod'
import type { ScorerInput } from '../../types.ts'

/** The option of scorers of free answers that `isCredited` reads. */
export const creditCanned = z
  .boolean()
  .default(false)
  .describe(
    'Score the fixed answer of a method that found no context as if the model had given it, as the official script would. By default it scores 0, also where a question has no answer: nothing was asked (our reading)',
  )

/**
 * Whether an answer may be rewarded: one that no model gave, for want of a context, may not, unless the scorer is told to, or the method
 * does not search and found nothing because nothing is there (oracle).
 */
export const isCredited = (
  { answer, ranked }: Pick<ScorerInput, 'answer' | 'ranked'>,
  options: { readonly creditCanned: boolean },
): boolean => !answer.canned || ranked === false || options.creditCanned
