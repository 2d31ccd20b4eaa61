import { z } from 'zod'
import { choice, flag, wholeNumber } from '../shared/options.ts'

const code = '(parthsarthi03/raptor@2e3e83e)'
const reading = '(our reading)'

/** Maximum layers of summaries (parthsarthi03/raptor@2e3e83e). */
export const numLayers = 5

/**
 * Dimensions of reduced embeddings; a layer of at most one node more is the last (parthsarthi03/raptor@2e3e83e).
 */
export const reductionDimension = 10

/** A cluster with more tokens is clustered again (parthsarthi03/raptor@2e3e83e). */
export const maxClusterTokens = 3500

/** Maximum passages of a context (parthsarthi03/raptor@2e3e83e; the paper has 20). */
export const topK = 10

/** RAPTOR's options; names follow the reference code. */
export const raptorOptions = z.strictObject({
  chunkTokens: wholeNumber(1, 100, `Longest leaf, in tokens ${code}: whole sentences while they fit ${reading}`),
  summaryTokens: wholeNumber(
    1,
    100,
    `Longest summary, in tokens of the run's tokenizer: the prompt asks for it, and a longer reply is cut ${code} after its last whole sentence ${reading}`,
  ),
  scope: choice(
    ['auto', 'document', 'corpus'],
    `One tree per document (the author in issue 13), or one for the corpus, in the order of ids; auto: corpus where at least half of several documents have up to 11 leaves, else document ${reading}`,
  ),
  maxTokens: wholeNumber(
    1,
    3500,
    `Tokens of a context at most, by the run's tokenizer; the budget may allow fewer, and the first node beyond ends it ${code}; the paper has 2000`,
  ),
  compat: flag(
    "As the reference code, without its bugs: its splitter, which drops punctuation, full covariances, a search over all component counts, scikit-learn's reg_covar",
  ),
})

export type RaptorOptions = z.output<typeof raptorOptions>
