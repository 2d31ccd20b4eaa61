import { z } from 'zod'

const code = '(parthsarthi03/raptor@2e3e83e)'
const reading = '(our reading)'

/** RAPTOR's options, by the names of the reference code where it has one. */
export const raptorOptions = z.strictObject({
  splitter: z
    .enum(['sentence', 'run'])
    .default('sentence')
    .describe(`Leaves: whole sentences up to chunkTokens ${reading}, or the chunks of the config`),
  chunkTokens: z.int().min(1).default(100).describe(`Longest leaf, in tokens; not used with splitter: run ${code}`),
  numLayers: z
    .int()
    .min(0)
    .default(5)
    .describe(`Layers of summaries at most; a layer of reductionDimension + 1 nodes or fewer is the last ${code}`),
  summaryTokens: z
    .int()
    .min(1)
    .default(100)
    .describe(
      `Longest summary, in tokens of the run's tokenizer: the prompt asks for it, and a longer reply is cut there ${code}, after its last whole sentence within it ${reading}`,
    ),
  reductionDimension: z
    .int()
    .min(1)
    .default(10)
    .describe(`Dimensions that embeddings are reduced to for clustering ${code}`),
  reducer: z
    .enum(['umap', 'pca', 'none'])
    .default('umap')
    .describe(`How embeddings are reduced ${code}; pca is faster and needs no seed`),
  softThreshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe(`A node joins every cluster with a posterior above this ${code}`),
  maxClusterTokens: z.int().min(1).default(3500).describe(`A cluster with more tokens is clustered again ${code}`),
  singleRoot: z.boolean().default(false).describe(`Summarise the last layer into one root ${reading}`),
  scope: z
    .enum(['auto', 'document', 'corpus'])
    .default('auto')
    .describe(
      `One tree per document (the author in issue 13), or one for all that is searched together, read in the order of their ids; auto: corpus where at least half of several documents have no more than reductionDimension + 1 leaves, too few for a summary, else document ${reading}`,
    ),
  base: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      `Documents, the first ones of a corpus, that its tree is built of; leaves of later ones join the nearest of its clusters, and only the summaries above them are made again, so that a tree grows with its corpus ${reading}; with one tree per document there is nothing to grow; null: all`,
    ),
  retrieval: z
    .enum(['collapsed', 'traversal'])
    .default('collapsed')
    .describe(`Search all layers at once, or from the top down ${code}`),
  topK: z
    .int()
    .min(1)
    .default(10)
    .describe(`Passages of a context at most; the budget may allow fewer ${code}; the paper has 20`),
  maxTokens: z
    .int()
    .min(1)
    .default(3500)
    .describe(
      `Tokens of a context at most, by the run's tokenizer; the budget may allow fewer, and the first node beyond ends it ${code}; of a traversal, in its order ${reading}; the paper has 2000`,
    ),
  traversalTopK: z.int().min(1).default(5).describe(`Nodes taken from each layer; only used in a traversal ${code}`),
  compat: z
    .boolean()
    .default(false)
    .describe(
      "As the reference implementation where it is sound: its splitter, which drops . ! ? and, in sentences that are too long, , ; : (leaves are in order, and none is too long), full covariances, a search over all component counts, and scikit-learn's reg_covar in place of a floor of the variances. Its bugs are not reproduced",
    ),
})

export type RaptorOptions = z.output<typeof raptorOptions>
