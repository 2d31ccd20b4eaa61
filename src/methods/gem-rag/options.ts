import { z } from 'zod'

const reading = '(our reading)'

/** What the paper states, and where it is silent what we take; the specification's names. */
export const gemOptions = z.strictObject({
  questions: z
    .int()
    .min(0)
    .max(100)
    .default(5)
    .describe('Utility questions per chunk, m; 0: the chunk itself is matched (section IV; Fig. 2 varies it)'),
  components: z
    .int()
    .min(0)
    .default(2)
    .describe(
      'Eigencomponents, k: one summary node each; the first is always the most central chunks (section IV; Fig. 2 varies it)',
    ),
  nodesPerTheme: z.int().min(1).default(5).describe(`Chunks that are summarised for one theme, e ${reading}`),
  summaryTokens: z
    .int()
    .min(1)
    .default(100)
    .describe(
      "Target length of a summary, in tokens; the reply's hard limit is the model's own (inferred: four nodes fill the 400 tokens of section IV)",
    ),
  symmetrize: z
    .enum(['mean', 'sum', 'max', 'min', 'lower'])
    .default('mean')
    .describe(`How S_ij and S_ji become one weight; lower: what a symmetric solver silently does with S ${reading}`),
  diagonal: z
    .enum(['zero', 'literal'])
    .default('zero')
    .describe(`literal: S - I as printed, which has no zero diagonal ${reading}`),
  negatives: z
    .enum(['clamp', 'shift', 'keep'])
    .default('clamp')
    .describe(`Negative weights become 0, every cosine c becomes (1 + c)/2, or they stay ${reading}`),
  eigenOrder: z
    .enum(['magnitude', 'algebraic'])
    .default('magnitude')
    .describe('Order of the eigenvalues; magnitude puts negative ones early (section III)'),
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
      `kmeans: themes are the chunks nearest the centres of k clusters; the paper has the row without details ${reading}`,
    ),
  mode: z
    .enum(['alg1', 'bestFirst', 'bestFirstPrompt'])
    .default('alg1')
    .describe('Algorithm 1, or the best-first search of the text by edge weight or by similarity with the prompt'),
  questionEmbedding: z
    .enum(['averaged', 'raw'])
    .default('averaged')
    .describe(
      `Match prompts with the mean of question and chunk (Algorithm 1) or with the question alone; vectors are always normalised ${reading}`,
    ),
  edge: z
    .enum(['symmetric', 'directed'])
    .default('symmetric')
    .describe(`Weight that bestFirst follows: W, or S from the visited node as it is ${reading}`),
  contextOrder: z
    .enum(['retrieval', 'document'])
    .default('retrieval')
    .describe(`Order of the passages ${reading}; their limits are the config's budget (section IV: 4 and 400 tokens)`),
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
    .describe(`Remark 2, for the statistics alone: minBeta is what "near 1" means, c the gap after it ${reading}`),
  seed: z.int().default(42).describe(`Start vectors of the solver and of k-means ${reading}`),
})

export type GemOptions = z.output<typeof gemOptions>
