import { z } from 'zod'

/** What `unweaver` and `unweaver-ppr` share. Chunks are the run's: the paper's are `chunks: {size: 1500, overlap: 128}`. */
export const entityOptions = {
  k0: z.int().min(1).default(10).describe('Entities nearest to the question that take part (released code).'),
  r: z
    .int()
    .min(1)
    .default(5)
    .describe(
      "Chunks of a context at most (released code, which can also cut chunks at a marker; here they are the run's).",
    ),
  contextTokens: z
    .int()
    .min(1)
    .default(4000)
    .describe(
      'Tokens of a context at most, counted before the budget of the run (released code, which counts the rows and header of its CSV table too; here every method gives its chunks as they are).',
    ),
  shortenAboveChars: z
    .int()
    .min(1)
    .default(4000)
    .describe(
      'Characters above which the joined descriptions of an entity are rewritten by the model (released code; its README says tokens).',
    ),
  maxDescriptionTokens: z
    .int()
    .min(1)
    .default(31129)
    .describe(
      'Tokens after which joined descriptions are cut before they are rewritten: 0.95 × 32768 (released code).',
    ),
}
