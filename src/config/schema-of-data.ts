import { z } from 'zod'
import { tokenizerNames } from '../text/tokens.ts'
import { cutBy, usualPercentile } from '../types.ts'

export const count = z.int().min(1)

/** What a config says of its dataset. */
export const dataset = z
  .union([
    z.string().min(1),
    z.strictObject({
      use: z.string().min(1).describe('name of a dataset, or path of a file that exports one'),
      path: z
        .string()
        .min(1)
        .optional()
        .describe(
          'file or folder of the dataset, relative to the config file; default: where `gembench data get` puts it',
        ),
      split: z.string().min(1).optional().describe('same as options.split'),
      limit: count.optional().describe('ask at most this many questions, the first ones; default: all'),
      drop: z
        .int()
        .min(0)
        .optional()
        .describe(
          'leave out this many documents of every corpus, drawn by the seed; their questions stay. A larger number leaves out those of a smaller one, too. Where it is given, be it 0, the documents come in the order of the draw, so that a run with fewer reads the first ones of a run with more; default: none, in their own order',
        ),
      options: z.looseObject({}).optional().describe('options of the dataset'),
    }),
  ])
  .meta({
    id: 'Dataset',
    description:
      'the dataset: its name, a mapping with path, limit and options, or your own data: { documents: FOLDER, questions: FILE }',
  })

/** How a config cuts documents. */
export const chunks = z
  .strictObject({
    size: count.default(100).describe('largest number of tokens in a chunk'),
    overlap: z
      .int()
      .min(0)
      .default(0)
      .describe('tokens that a chunk repeats from the previous one; must be less than size'),
    by: z
      .enum(cutBy)
      .default('tokens')
      .describe(
        'where documents are cut. tokens: after any token; sentences, paragraphs: only between them, where they fit into size; headings: at headings of Markdown and HTML, a longer section between paragraphs; recursive: at blank lines, else lines, else spaces, as the RecursiveCharacterTextSplitter of LangChain; semantic: where the subject changes by the vectors of neighbouring sentences, longer parts between sentences; none: not at all',
      ),
    path: z
      .boolean()
      .optional()
      .describe(
        'with by: headings, whether the headings above a chunk stand before it as a line of its own, unless they take more than half of size; default: false',
      ),
    percentile: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .describe(
        `with by: semantic, a document is cut where two neighbouring sentences are further apart than this percentage of all; default: ${usualPercentile}`,
      ),
    tokenizer: z.enum(tokenizerNames).default('o200k_base').describe('tokenizer of all token counts of the run'),
  })
  .refine(({ size, overlap }) => overlap < size, { path: ['overlap'], error: 'must be less than chunks.size' })
  .refine(({ by, path }) => path === undefined || by === 'headings', {
    path: ['path'],
    error: 'is for chunks.by: headings; remove it, or set chunks.by',
  })
  .refine(({ by, percentile }) => percentile === undefined || by === 'semantic', {
    path: ['percentile'],
    error: 'is for chunks.by: semantic; remove it, or set chunks.by',
  })
