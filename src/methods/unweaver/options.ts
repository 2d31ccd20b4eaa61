import { z } from 'zod'

/** What `unweaver` and `unweaver-ppr` share. Chunks are the run's: the paper's are `chunks: {size: 1500, overlap: 128}`. */
export const entityOptions = {
  k0: z
    .int()
    .min(1)
    .default(10)
    .describe('Number of entities nearest to the question that vote or seed PageRank (released code).'),
  r: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'Chunks of a context at most, and seats of a committee; null: as many passages as the budget has (our reading: every method may fill it; the released code takes 5).',
    ),
  contextTokens: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'Tokens of a context at most, counted before the budget of the run; null: the budget alone (our reading; the released code takes 4000, and counts the rows and header of its CSV table too; here every method gives its chunks as they are).',
    ),
  shortenAboveChars: z
    .int()
    .min(1)
    .default(4000)
    .describe(
      'Number of characters above which the model rewrites the joined descriptions of an entity (released code; its README says tokens).',
    ),
  maxDescriptionTokens: z
    .int()
    .min(1)
    .default(31129)
    .describe(
      'Number of tokens to which joined descriptions are cut before the model rewrites them: 0.95 × 32768 (released code).',
    ),
}
