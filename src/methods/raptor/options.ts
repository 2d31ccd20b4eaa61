import { z } from 'zod'
import { tokenizerNames } from '../../text/tokens.ts'

const code = '(parthsarthi03/raptor@2e3e83e)'
const reading = '(our reading)'

/** The seed of the reference code. */
export const usualSeed = 224

/** What holds where neither the config nor `preset` nor `compat` says another. */
const usual: Settled = {
  splitter: 'sentence',
  covariance: 'diag',
  bicSearch: 'early',
  topK: 10,
  maxTokens: 3500,
}

/** The contexts of section 3: the code's, those that two papers gave RAPTOR, and its own. */
const presets = {
  code: {},
  'gem-rag': { maxTokens: 400 },
  unweaver: { topK: 10, maxTokens: 3500 },
  paper: { topK: 20, maxTokens: 2000 },
} satisfies Record<string, Asked>

const compatible: Asked = { splitter: 'raptor-compat', covariance: 'full', bicSearch: 'exhaustive' }

/** What `preset` and `compat` may decide. It has no default of zod's, so that what a config says can be told from silence. */
interface Settled {
  readonly splitter: 'sentence' | 'raptor-compat' | 'run'
  readonly covariance: 'diag' | 'full' | 'spherical'
  readonly bicSearch: 'early' | 'exhaustive'
  readonly topK: number
  readonly maxTokens: number
}

type Asked = { readonly [K in keyof Settled]?: Settled[K] | undefined }

const written = z.strictObject({
  tokenizer: z.enum(tokenizerNames).default('cl100k_base').describe(`Counts the tokens of leaves and clusters ${code}`),
  splitter: z
    .enum(['sentence', 'raptor-compat', 'run'])
    .optional()
    .meta({ default: usual.splitter })
    .describe(
      `Leaves: whole sentences up to chunkTokens ${reading}, the reference's splitter, which drops . ! ? and, in sentences that are too long, , ; : (without its bugs: leaves are in order, and none is too long), or the chunks of the config`,
    ),
  chunkTokens: z.int().min(1).default(100).describe(`Longest leaf, in tokens; not used with splitter: run ${code}`),
  overlap: z
    .int()
    .min(0)
    .default(0)
    .describe(
      `Tokens of whole sentences that a leaf repeats from the one before; only used with splitter: sentence ${code}`,
    ),
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
  globalNeighbours: z
    .union([z.literal('sqrt'), z.int().min(2)])
    .default('sqrt')
    .describe(
      `UMAP's n_neighbors for a whole layer of n nodes: sqrt is floor(sqrt(n - 1)) ${code}, at most 100 ${reading}; only used with reducer: umap`,
    ),
  localNeighbours: z
    .int()
    .min(2)
    .default(10)
    .describe(`The same within a cluster of that layer; only used with reducer: umap ${code}`),
  covariance: z
    .enum(['diag', 'full', 'spherical'])
    .optional()
    .meta({ default: usual.covariance })
    .describe(`Shape of the mixture's components; the reference's full fails on few points ${reading}`),
  bicSearch: z
    .enum(['early', 'exhaustive'])
    .optional()
    .meta({ default: usual.bicSearch })
    .describe(`Whether the search over component counts ends after eight counts without a better BIC ${reading}`),
  maxComponents: z.int().min(2).default(50).describe(`Fewer components than this are tried ${code}`),
  softThreshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe(`A node joins every cluster with a posterior above this ${code}`),
  membership: z
    .enum(['index', 'value-compat'])
    .default('index')
    .describe(
      `index: a cluster has the nodes that the mixture put there ${reading}; value-compat: and every node of an equal embedding ${code}`,
    ),
  maxClusterTokens: z.int().min(1).default(3500).describe(`A cluster with more tokens is clustered again ${code}`),
  singleRoot: z.boolean().default(false).describe(`Summarise the last layer into one root ${reading}`),
  scope: z
    .enum(['auto', 'document', 'corpus'])
    .default('auto')
    .describe(
      `One tree per document (the author in issue 13), or one for all that is searched together, read in the order of their ids; auto: corpus where at least half of several documents have no more than reductionDimension + 1 leaves, too few for a summary, else document ${reading}`,
    ),
  retrieval: z
    .enum(['collapsed', 'traversal'])
    .default('collapsed')
    .describe(`Search all layers at once, or from the top down ${code}`),
  preset: z
    .enum(['code', 'gem-rag', 'unweaver', 'paper'])
    .default('code')
    .describe(
      'Size of the context: topK and maxTokens as in the code (10, 3500), in GEM-RAG (10, 400), UnWeaver (10, 3500) or the paper (20, 2000)',
    ),
  topK: z
    .int()
    .min(1)
    .optional()
    .meta({ default: usual.topK })
    .describe(`Passages of a context at most; the budget may allow fewer ${code}`),
  maxTokens: z
    .int()
    .min(1)
    .optional()
    .meta({ default: usual.maxTokens })
    .describe(
      `Tokens of a context at most, by the run's tokenizer; the budget may allow fewer, and the first node beyond ends it ${code}; of a traversal, in its order ${reading}`,
    ),
  traversalTopK: z
    .int()
    .min(1)
    .default(5)
    .describe(`Nodes taken from each layer; only used in a traversal by top_k ${code}`),
  traversalMode: z
    .enum(['top_k', 'threshold'])
    .default('top_k')
    .describe(`Take the nearest of a layer, or all that are similar enough; only used in a traversal ${code}`),
  threshold: z
    .number()
    .min(-1)
    .max(1)
    .default(0.5)
    .describe(
      'Least similarity, as the paper means it (the code compares a distance); only used in a traversal by threshold',
    ),
  startLayer: z
    .union([z.literal('top'), z.int().min(0)])
    .default('top')
    .describe(
      `Layer that a traversal begins with, leaves being 0; a lower tree begins at its top; only used in a traversal ${code}`,
    ),
  traversalLayers: z
    .union([z.literal('all'), z.int().min(1)])
    .default('all')
    .describe(`Layers that a traversal goes through at most; only used in a traversal ${code}`),
  distance: z
    .enum(['cosine', 'l1', 'l2', 'linf'])
    .default('cosine')
    .describe(`Distance of a node from the question ${code}`),
  seed: z
    .int()
    .nullable()
    .default(null)
    .describe(
      `Seeds UMAP, the mixtures and k-means: the same seed gives the same tree, in every repeat; null: it follows the run's seed and the repeat, and is ${usualSeed} in the first repeat of a run with the default seed ${code}`,
    ),
  compat: z
    .boolean()
    .default(false)
    .describe(
      "As the reference implementation where it is sound: splitter raptor-compat, covariance full, bicSearch exhaustive, and scikit-learn's reg_covar in place of a floor of the variances. Its bugs are not reproduced",
    ),
})

/** RAPTOR's options, by the names of the reference code where it has one. What `preset` or `compat` decides nothing else may decide otherwise. */
export const raptorOptions = written.transform((given, context): RaptorOptions => {
  const asked: Asked = given
  const implied: Asked = { ...presets[given.preset], ...(given.compat && compatible) }
  const settled = <K extends keyof Settled>(name: K): Settled[K] => {
    const own: Settled[K] | undefined = asked[name]
    const other: Settled[K] | undefined = implied[name]
    if (own !== undefined && other !== undefined && own !== other) {
      const by = name in compatible ? 'compat' : `preset ${given.preset}`
      context.addIssue({ code: 'custom', path: [name], message: `${by} means ${other}: leave one of the two out` })
    }
    return other ?? own ?? usual[name]
  }
  return {
    ...given,
    splitter: settled('splitter'),
    covariance: settled('covariance'),
    bicSearch: settled('bicSearch'),
    topK: settled('topK'),
    maxTokens: settled('maxTokens'),
  }
})

export type RaptorOptions = Omit<z.output<typeof written>, keyof Settled> & Settled
