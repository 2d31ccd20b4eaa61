import { z } from 'zod'

const reading = '(our reading)'

/** The seed that a run with the default seed begins with. */
export const usualSeed = 42

/** What the paper states, and where it is silent what we take; the specification's names. */
const fields = z.strictObject({
  questions: z
    .int()
    .min(0)
    .max(100)
    .default(5)
    .describe(
      'Number of utility questions per chunk, m; 0: the chunk itself is matched (section IV; Fig. 2 varies it)',
    ),
  questionPool: z
    .union([z.enum(['shared', 'separate']), z.int().min(1).max(100)])
    .default('shared')
    .describe(
      `How many utility questions a chunk is asked for, of which the first m are taken: shared: where m is varied the largest of them, so that variants differ in nothing else; separate: each variant asks for its own; or a number, for rows that share it ${reading}`,
    ),
  components: z
    .union([z.int().min(0), z.literal('auto')])
    .default(2)
    .describe(
      'Number of eigencomponents, k, with one summary node each; the first is always that of the most central chunks (section IV; Fig. 2 varies it). auto: as many as Remark 2 estimates, with .5 as "near 1" and a gap of .1, else as lie before the largest gap, which a warning counts (our reading)',
    ),
  skip: z
    .int()
    .min(0)
    .default(0)
    .describe(`Leading eigencomponents that make no theme: 1 leaves out that of the most central chunks ${reading}`),
  choose: z
    .array(z.int().min(1))
    .min(1)
    .nullable()
    .default(null)
    .describe(
      `The numbers of the eigencomponents that make themes, from 1 in the order of their magnitude; null: the first k after those skipped ${reading}`,
    ),
  nodesPerTheme: z.int().min(1).default(5).describe(`Number of chunks that are summarised for one theme, e ${reading}`),
  summaryTokens: z
    .int()
    .min(1)
    .default(100)
    .describe(
      "Longest summary, in tokens of the run's tokenizer: the prompt asks for it, and a longer reply is cut after its last whole sentence within it (inferred: four nodes fill the 400 tokens of section IV; the cut is our reading)",
    ),
  symmetrize: z
    .enum(['mean', 'sum', 'max', 'min', 'lower', 'none'])
    .default('mean')
    .describe(
      `How S_ij and S_ji become one weight; lower: only the lower triangle, as a symmetric solver reads S ${reading}; max, min and lower store all weights, and fail where these take more than 1 GiB. none: S as the paper has it, not symmetric, with row sums as degrees, of up to 300 chunks: eigenvalues by their modulus, of a complex pair one vector of moduli, and edges with a direction`,
    ),
  select: z
    .enum(['abs', 'signed', 'both-ends'])
    .default('abs')
    .describe(
      `Which entries of an eigenvector make a theme: largest |x|, largest x, or one theme from each end ${reading}`,
    ),
  clustering: z
    .enum(['spectral', 'kmeans'])
    .default('spectral')
    .describe(
      `kmeans: themes are the chunks nearest the centres of k clusters; the paper reports this row without details ${reading}`,
    ),
  mode: z
    .enum(['algorithm-1', 'best-first', 'best-first-by-prompt'])
    .default('algorithm-1')
    .describe('Algorithm 1, or the best-first search of the text by edge weight or by similarity with the prompt'),
  questionEmbedding: z
    .enum(['averaged', 'raw'])
    .default('averaged')
    .describe(
      `What a prompt is compared with: the mean of question and chunk (Algorithm 1) or the question alone; vectors are always normalised ${reading}`,
    ),
  scope: z
    .enum(['auto', 'document', 'corpus'])
    .default('auto')
    .describe(
      "One memory graph per document (inferred from the paper), or one for all that is searched together; auto: corpus where at least half of several documents have no more chunks than nodesPerTheme, so that each theme would hold them all, else document (our reading); the config's chunks are its nodes (section IV: size 100; overlap 0 is our reading)",
    ),
})

/** The options, which have to fit together. */
export const gemOptions = fields.superRefine(({ clustering, components, skip, choose }, context) => {
  const fault = (path: keyof z.output<typeof fields>, message: string): void =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (choose && new Set(choose).size < choose.length) fault('choose', 'names a component twice')
  if (choose && skip > 0) fault('skip', 'is not used with choose: name the components there')
  if (clustering === 'spectral') return
  if (components === 'auto') fault('components', 'auto reads eigenvalues, and kmeans has none: give a number')
  if (skip > 0 || choose) fault(choose ? 'choose' : 'skip', 'names eigencomponents, and kmeans has none')
})

export type GemOptions = z.output<typeof gemOptions>
