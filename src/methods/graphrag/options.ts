import { z } from 'zod'
import { fileOption } from '../../define.ts'
import { ungroundedOption } from '../shared/ungrounded.ts'

const code = '(microsoft/graphrag@6dad6d2)'
const reading = '(our reading)'

/** Options that the index depends on; the others are read by retrieval alone. */
const ofIndex = {
  method: z
    .enum(['standard', 'fast'])
    .default('standard')
    .describe(
      `standard: a language model reads every text unit ${code}. fast: noun phrases by a part-of-speech tagger, related where they stand in one text unit; a model is asked for reports alone ${code}`,
    ),
  index: fileOption(
    z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'Folder with the Parquet tables of an index of GraphRAG 2 or 3: then no language model is asked at the index; its text units must stand in the documents. Seen from the config. null: an index is built',
      ),
  ),
  compat: z
    .boolean()
    .default(false)
    .describe(
      `What release 3.1.2 does where it loses data: of the types of a title the first row alone stays, reportEdges: first, replies glued without a separator, communities split at maxCommunitySize nodes rather than above, basic search cut in table order ${code}`,
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
  ungrounded: ungroundedOption,
  maxCommunitySize: z.int().min(1).default(10).describe(`Nodes above which a community is split again ${code}`),
  largestComponent: z
    .boolean()
    .default(true)
    .describe(
      `Only the largest connected component has communities; entities outside it are found by no question ${code}`,
    ),
  reportEdges: z
    .enum(['inner', 'level', 'first'])
    .optional()
    .meta({ default: 'inner' })
    .describe(
      `What a report is made of. inner: the relationships inside the community ${reading}; level: all that touch it (release 0.5 and the paper); first: one for each member ${code}`,
    ),
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
  dynamicSelection: z
    .boolean()
    .default(false)
    .describe(`With mode: global, a model first rates reports from the top, and only relevant ones are read ${code}`),
  driftDepth: z.int().min(0).default(3).describe(`Rounds of follow-up questions in mode drift ${code}`),
  driftFollowUps: z.int().min(0).default(20).describe(`Follow-up questions of one round in mode drift ${code}`),
}

/** Options of the index; rows of a run that agree in them share it. */
export const indexOptions = Object.keys(ofIndex)

/** The options, with what `compat` decides filled in. */
export const graphragOptions = z
  .strictObject({ ...ofIndex, ...ofQuery })
  .refine(({ communityShare, textShare }) => communityShare + textShare <= 1, {
    message: 'communityShare and textShare together exceed 1',
    path: ['textShare'],
  })
  .refine(({ chunkTokens, overlap }) => chunkTokens === 'run' || overlap < chunkTokens, {
    message: 'overlap must be smaller than chunkTokens',
    path: ['overlap'],
  })
  .transform(({ reportEdges, ...given }) => ({
    ...given,
    reportEdges: reportEdges ?? (given.compat ? 'first' : 'inner'),
  }))

export type GraphragOptions = z.output<typeof graphragOptions>
