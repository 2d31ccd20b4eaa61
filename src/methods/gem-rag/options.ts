import { z } from 'zod'

const reading = '(our reading)'

/** The seed that a run with the default seed begins with. */
export const usualSeed = 42

/** What the paper states, and where it is silent what we take; the specification's names. */
export const gemOptions = z.strictObject({
  questions: z
    .int()
    .min(0)
    .max(100)
    .default(5)
    .describe(
      'Number of utility questions per chunk, m; 0: the chunk itself is matched (section IV; Fig. 2 varies it)',
    ),
  components: z
    .int()
    .min(0)
    .default(2)
    .describe(
      'Number of eigencomponents, k, with one summary node each; the first is always that of the most central chunks (section IV; Fig. 2 varies it)',
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
    .enum(['mean', 'sum', 'max', 'min', 'lower'])
    .default('mean')
    .describe(
      `How S_ij and S_ji become one weight; lower: only the lower triangle, as a symmetric solver reads S ${reading}; max, min and lower store all weights, and fail where these take more than 1 GiB`,
    ),
  diagonal: z
    .enum(['zero', 'literal'])
    .default('zero')
    .describe(`literal: S - I as printed, whose diagonal is not zero ${reading}`),
  negatives: z
    .enum(['clamp', 'shift', 'keep'])
    .default('clamp')
    .describe(
      `Negative weights: set to 0, shifted (every cosine c becomes (1 + c)/2), or kept ${reading}; where a list of those to set to 0 takes more than 1 GiB, eigenvectors are computed with them kept, and a warning counts such graphs`,
    ),
  eigenOrder: z
    .enum(['magnitude', 'algebraic'])
    .default('magnitude')
    .describe('Order of the eigenvalues; by magnitude, large negative ones come early (section III)'),
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
    .enum(['alg1', 'bestFirst', 'bestFirstPrompt'])
    .default('alg1')
    .describe('Algorithm 1, or the best-first search of the text by edge weight or by similarity with the prompt'),
  questionEmbedding: z
    .enum(['averaged', 'raw'])
    .default('averaged')
    .describe(
      `What a prompt is compared with: the mean of question and chunk (Algorithm 1) or the question alone; vectors are always normalised ${reading}`,
    ),
  edge: z
    .enum(['symmetric', 'directed'])
    .default('symmetric')
    .describe(`Weights that bestFirst follows: W, or the row of the visited node in S, unchanged ${reading}`),
  contextOrder: z
    .enum(['retrieval', 'document'])
    .default('retrieval')
    .describe(
      `Order in which the answerer reads the passages; their ranks and scores stay ${reading}; their limits are the config's budget (section IV: 4 and 400 tokens)`,
    ),
  scope: z
    .enum(['document', 'corpus'])
    .default('document')
    .describe(
      "One memory graph per document (inferred from the paper), or one for all that is searched together; the config's chunks are its nodes (section IV: size 100; overlap 0 is our reading)",
    ),
  solver: z
    .enum(['auto', 'dense', 'iterative'])
    .default('auto')
    .describe(`dense up to 300 chunks, iterative above ${reading}`),
  themeEstimate: z
    .strictObject({
      minBeta: z.number().min(0).max(1).default(0.5).describe(`What "near 1" means in Remark 2 ${reading}`),
      c: z.number().min(0).max(1).default(0.1).describe(`The gap c of Remark 2 ${reading}`),
    })
    .default({ minBeta: 0.5, c: 0.1 })
    .describe(`Remark 2, used only for statistics: minBeta is what "near 1" means, c the gap after it ${reading}`),
  seed: z
    .int()
    .nullable()
    .default(null)
    .describe(
      `Start vectors of the solver and of k-means, in every repeat; null: it follows the run's seed and the repeat, and is ${usualSeed} in the first repeat of a run with the default seed ${reading}`,
    ),
})

export type GemOptions = z.output<typeof gemOptions>
