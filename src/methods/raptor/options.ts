import { z } from 'zod'
import { tokenizerNames } from '../../text/tokens.ts'

const code = '(parthsarthi03/raptor@2e3e83e)'
const reading = '(our reading)'

/** RAPTOR's options, by the names of the reference code where it has one. */
export const raptorOptions = z.strictObject({
  tokenizer: z
    .enum(tokenizerNames)
    .default('cl100k_base')
    .describe(`Counts the tokens of leaves, clusters and contexts ${code}`),
  splitter: z
    .enum(['sentence', 'raptor-compat', 'run'])
    .default('sentence')
    .describe(
      `Leaves: whole sentences up to chunkTokens ${reading}, the reference's splitter that drops . ! ?, or the chunks of the config`,
    ),
  chunkTokens: z.int().min(1).default(100).describe(`Longest leaf, in tokens ${code}`),
  overlap: z
    .int()
    .min(0)
    .default(0)
    .describe(`Tokens of whole sentences that a leaf repeats from the one before; sentence splitter only ${code}`),
  numLayers: z
    .int()
    .min(0)
    .default(5)
    .describe(`Layers of summaries at most; a layer of reductionDimension + 1 nodes or fewer is the last ${code}`),
  summaryTokens: z
    .int()
    .min(1)
    .default(100)
    .describe(`Target length of a summary, in tokens; the reply's hard limit is the model's own ${code}`),
  reductionDimension: z
    .int()
    .min(1)
    .default(10)
    .describe(`Dimensions that embeddings are reduced to for clustering ${code}`),
  reducer: z
    .enum(['umap', 'pca', 'none'])
    .default('umap')
    .describe(`How they are reduced ${code}; pca is quick and has no seed`),
  covariance: z
    .enum(['diag', 'full', 'spherical'])
    .default('diag')
    .describe(`Shape of the mixture's components; the reference's full fails on few points ${reading}`),
  bicSearch: z
    .enum(['early', 'exhaustive'])
    .default('early')
    .describe(`Whether the search over component counts ends after eight counts without a better BIC ${reading}`),
  maxComponents: z.int().min(2).default(50).describe(`Fewer components than this are tried ${code}`),
  softThreshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe(`A node joins every cluster with a posterior above this ${code}`),
  maxClusterTokens: z.int().min(1).default(3500).describe(`A cluster with more tokens is clustered again ${code}`),
  singleRoot: z.boolean().default(false).describe(`Summarise the last layer into one root ${reading}`),
  scope: z
    .enum(['document', 'corpus'])
    .default('document')
    .describe('One tree per document (the author in issue 13), or one for all that is searched together'),
  retrieval: z
    .enum(['collapsed', 'traversal'])
    .default('collapsed')
    .describe(`Search all layers at once, or from the top down ${code}`),
  topK: z.int().min(1).default(10).describe(`Nodes that a collapsed search returns at most ${code}`),
  maxTokens: z
    .int()
    .min(1)
    .default(3500)
    .describe(`Tokens that it returns at most; the first node beyond ends it ${code}`),
  traversalTopK: z.int().min(1).default(5).describe(`Nodes taken from each layer of a traversal ${code}`),
  traversalMode: z
    .enum(['top_k', 'threshold'])
    .default('top_k')
    .describe(`Take the nearest of a layer, or all that are similar enough ${code}`),
  threshold: z
    .number()
    .default(0.5)
    .describe('Least similarity in threshold mode, as the paper means it (the code compares a distance)'),
  distance: z
    .enum(['cosine', 'l1', 'l2', 'linf'])
    .default('cosine')
    .describe(`Distance of a node from the question ${code}`),
  seed: z
    .int()
    .default(224)
    .describe(`Seeds UMAP, the mixtures and k-means: the same seed gives the same tree ${code}`),
  compat: z
    .boolean()
    .default(false)
    .describe(
      'The reference where it is sound: its splitter, full covariance, exhaustive BIC. Its bugs are not reproduced',
    ),
})

export type RaptorOptions = z.output<typeof raptorOptions>

/** What `compat` means for the other options. */
export const resolved = (options: RaptorOptions): RaptorOptions =>
  options.compat ? { ...options, splitter: 'raptor-compat', covariance: 'full', bicSearch: 'exhaustive' } : options
