import { z } from 'zod'
import { reportEdgesNames } from './reports.ts'

const code = '(microsoft/graphrag@6dad6d2)'
const reading = '(our reading)'

/** What `compat` may decide. It has no default of zod's, so that what a config says can be told from silence. */
interface Settled {
  readonly entityIdentity: 'merge' | 'first-row'
  readonly reportEdges: (typeof reportEdgesNames)[number]
}

const usual: Settled = { entityIdentity: 'merge', reportEdges: 'inner' }
const compatible: Settled = { entityIdentity: 'first-row', reportEdges: 'first' }

/** Options that the index depends on; the others are read by retrieval alone. */
const ofIndex = {
  method: z
    .enum(['standard', 'fast'])
    .default('standard')
    .describe(
      `standard: a language model reads every text unit ${code}. fast: noun phrases by a part-of-speech tagger, related where they stand in one text unit; a model is asked for reports alone ${code}`,
    ),
  index: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'Folder with the tables of a published index of GraphRAG 1.x to 3.x, as JSON lines or Parquet: then no language model is asked at the index; its text units must stand in the documents. null: an index is built',
    ),
  compat: z
    .boolean()
    .default(false)
    .describe(
      `What release 3.1.2 does where it loses data: entityIdentity: first-row, reportEdges: first, replies glued without a separator, communities split at maxSize nodes rather than above, basic search cut in table order ${code}`,
    ),
  chunkTokens: z
    .union([z.literal('run'), z.int().min(1)])
    .default('run')
    .describe(
      `Longest text unit, in tokens of o200k_base, cut from each document anew: 1200 ${code}; run: the chunks of the config, as every method has them ${reading}`,
    ),
  overlap: z
    .int()
    .min(0)
    .default(100)
    .describe(`Tokens that a text unit repeats from the one before; not used with chunkTokens: run ${code}`),
  entityTypes: z
    .array(z.string().min(1))
    .min(1)
    .default(['organization', 'person', 'geo', 'event'])
    .describe(`Types of entities that are asked for ${code}`),
  maxGleanings: z
    .int()
    .min(0)
    .default(1)
    .describe(
      `How often what was missed is asked for, in the same chat; from the second time on only where the model says Y ${code}`,
    ),
  entityIdentity: z
    .enum(['merge', 'first-row'])
    .optional()
    .meta({ default: usual.entityIdentity })
    .describe(
      `merge: one entity for each title, with the most frequent type and all descriptions ${reading}; first-row: merged by title and type, then only the first of each title stays ${code}`,
    ),
  descriptionWords: z
    .int()
    .min(1)
    .default(500)
    .describe(`Longest merged description that is asked for, in words ${code}`),
  descriptionTokens: z
    .int()
    .min(1)
    .default(4000)
    .describe(`Tokens of one call that merges descriptions, its prompt included ${code}`),
  maxSize: z.int().min(1).default(10).describe(`Nodes above which a community is split again ${code}`),
  seed: z.int().min(0).max(0xffffffff).default(0xdeadbeef).describe(`Seed of the clustering ${code}`),
  resolution: z
    .number()
    .positive()
    .default(1)
    .describe(`Resolution of the modularity: higher, smaller communities ${code}`),
  randomness: z.number().positive().default(0.001).describe(`Randomness of Leiden's refinement ${code}`),
  lcc: z
    .boolean()
    .default(true)
    .describe(
      `Only the largest connected component has communities; entities outside it are found by no question ${code}`,
    ),
  collapse: z
    .enum(['last', 'sum'])
    .default('last')
    .describe(
      `Weight of two relationships of one pair in both directions: that of the last ${code}, or their sum ${reading}`,
    ),
  reportEdges: z
    .enum(reportEdgesNames)
    .optional()
    .meta({ default: usual.reportEdges })
    .describe(
      `What a report is made of. inner: the relationships inside the community ${reading}; level: all that touch it (release 0.5 and the paper); first: one for each member ${code}`,
    ),
  oversize: z
    .enum(['trim', 'subreports'])
    .default('trim')
    .describe(
      `What a report of a community that is too large is made of: its first relationships ${code}, or the reports of its largest sub-communities beside the relationships of the others (meant by the paper, never reached in the code)`,
    ),
  reportTokens: z.int().min(1).default(8000).describe(`Tokens of the tables that a report is made of ${code}`),
  reportWords: z.int().min(1).default(2000).describe(`Longest report that is asked for, in words ${code}`),
  minFrequency: z
    .int()
    .min(1)
    .default(2)
    .describe(`With method: fast, text units that a noun phrase stands in, at least ${code}`),
  minDegree: z.int().min(0).default(1).describe(`With method: fast, neighbours of a noun phrase, at least ${code}`),
  edgeWeights: z
    .enum(['pmi', 'count'])
    .default('pmi')
    .describe(
      `With method: fast, the weight of a relationship. pmi: pointwise mutual information, p(x,y) · log2(p(x,y) / (p(x) · p(y))), over all noun phrases and pairs; below 0 it counts as 0 for communities ${code}; count: the text units that both stand in (normalize_edge_weights: false in the code)`,
    ),
  minWeightPercentile: z
    .number()
    .min(0)
    .max(100)
    .default(40)
    .describe(`With method: fast, relationships below this percentile of the weights are left out ${code}`),
}

const ofQuery = {
  mode: z
    .enum(['local', 'global', 'basic', 'drift'])
    .default('local')
    .describe(
      `local: entities near the question, with their reports, relationships and text units ${reading}; global: points that a model finds in all reports, which the answer prompt that all methods share reads in place of a reduce step; basic: text units near the question; drift: answers to follow-up questions, from reports to entities ${code}`,
    ),
  communityLevel: z
    .int()
    .min(0)
    .nullable()
    .default(2)
    .describe(
      `Deepest level of communities that a question sees; null: all of them, and entities without one too ${code}`,
    ),
  topEntities: z
    .int()
    .min(1)
    .default(20)
    .describe(`Entities nearest to the question: the code's option is 10, and it takes twice as many ${code}`),
  topRelationships: z
    .int()
    .min(0)
    .default(10)
    .describe(`Relationships to entities that were not selected, for each that was ${code}`),
  contextTokens: z
    .int()
    .min(1)
    .default(12000)
    .describe(`Tokens of a context; the budget of the run may allow fewer, and then the shares are of these ${code}`),
  communityShare: z.number().min(0).max(1).default(0.15).describe(`Share of a local context for reports ${code}`),
  textShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe(`Share of a local context for text units; the rest is for entities and relationships ${code}`),
  mapTokens: z.int().min(1).default(12000).describe(`Tokens of the reports of one call in mode global ${code}`),
  mapWords: z.int().min(1).default(1000).describe(`Longest list of points that is asked for, in words ${code}`),
  shuffleSeed: z.int().min(0).default(86).describe(`Seed of the order in which reports are put into calls ${code}`),
  dynamicSelection: z
    .boolean()
    .default(false)
    .describe(`With mode: global, a model first rates reports from the top, and only relevant ones are read ${code}`),
  dynamicThreshold: z
    .number()
    .default(1)
    .describe(`With dynamicSelection, the least rating of a relevant report, of 5 ${code}`),
  keepParent: z
    .boolean()
    .default(false)
    .describe(`With dynamicSelection, whether a report stays beside relevant ones of its sub-communities ${code}`),
  basicTopK: z.int().min(1).default(10).describe(`Text units of mode basic ${code}`),
  driftDepth: z.int().min(0).default(3).describe(`Rounds of follow-up questions in mode drift ${code}`),
  driftFollowUps: z.int().min(0).default(20).describe(`Follow-up questions of one round in mode drift ${code}`),
  driftReports: z.int().min(1).default(20).describe(`Reports that mode drift begins with ${code}`),
  driftFolds: z.int().min(1).default(5).describe(`Calls that read these reports in mode drift ${code}`),
}

/** Options of the index; rows of a run that agree in them share it. */
export const indexOptions = Object.keys(ofIndex)

const written = z.strictObject({ ...ofIndex, ...ofQuery })

/** The options with what `compat` decides filled in. */
export const graphragOptions = written
  .refine(({ communityShare, textShare }) => communityShare + textShare <= 1, {
    message: 'communityShare and textShare together exceed 1',
    path: ['textShare'],
  })
  .refine(({ chunkTokens, overlap }) => chunkTokens === 'run' || overlap < chunkTokens, {
    message: 'overlap must be smaller than chunkTokens',
    path: ['overlap'],
  })
  .transform(({ entityIdentity, reportEdges, ...given }) => {
    const settled = given.compat ? compatible : usual
    return {
      ...given,
      entityIdentity: entityIdentity ?? settled.entityIdentity,
      reportEdges: reportEdges ?? settled.reportEdges,
    }
  })

export type GraphragOptions = z.output<typeof graphragOptions>
