import { z } from 'zod'
import { ungroundedOption } from '../shared/ungrounded-option.ts'

/** Number of entities nearest to the question, k0, that vote or seed PageRank (released code). */
export const nearestEntities = 10

/** Options of `unweaver` and `unweaver-ppr`. Chunks are the run's: the paper's have size 1500, overlap 128. */
export const entityOptions = {
  ungrounded: ungroundedOption,
  topK: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'Chunks of a context at most, r, and seats of a committee; null: as many passages as the budget has (our reading: every method may fill it; the released code takes 5).',
    ),
  maxTokens: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'Tokens of a context at most, counted before the budget of the run; null: the budget alone (our reading; the released code takes 4000, and counts the rows and header of its CSV table too; here every method gives its chunks as they are).',
    ),
}
