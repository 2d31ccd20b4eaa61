import { z } from 'zod'
import { choice, flag, optionalFile, ungroundedOption, wholeNumber } from '../shared/options.ts'

const code = '(microsoft/graphrag@6dad6d2)'
const reading = '(our reading)'

/** Overlap of text units that are not the run's chunks, in tokens (microsoft/graphrag@6dad6d2). */
export const repeatedTokens = 100

/** Options that the index depends on; the others affect retrieval alone. */
const ofIndex = {
  index: optionalFile(
    'Folder with the Parquet tables of an index of GraphRAG 2 or 3, relative to the config: no language model is asked then; its text units must stand in the documents. null: an index is built',
  ),
  compat: flag(
    `What release 3.1.2 does where it loses data: only the first type of a title stays, reportEdges: first, glued replies, communities split at 10 nodes, basic search cut in table order ${code}`,
  ),
  chunkTokens: z
    .union([z.literal('run'), z.int().min(repeatedTokens + 1)])
    .default('run')
    .describe(
      `Longest text unit, in tokens of o200k_base, cut from each document with 100 tokens repeated: 1200 ${code}; run: the chunks of the config ${reading}`,
    ),
  maxGleanings: wholeNumber(
    0,
    1,
    `How often what was missed is asked for, in the same chat; from the second time on only where the model says Y ${code}`,
  ),
  ungrounded: ungroundedOption,
  reportEdges: z
    .enum(['inner', 'level', 'first'])
    .optional()
    .meta({ default: 'inner' })
    .describe(
      `inner: the relationships inside the community ${reading}; level: all that touch it (release 0.5 and the paper); first: one for each member ${code}`,
    ),
}

const ofQuery = {
  mode: choice(
    ['local', 'global', 'basic', 'drift'],
    `local: entities near the question, with their reports, relationships and text units ${reading}; global: points that a model finds in all reports (the shared answer prompt reduces them); basic: text units near the question; drift: answers to follow-up questions ${code}`,
  ),
  communityLevel: z
    .int()
    .min(0)
    .nullable()
    .default(2)
    .describe(
      `Deepest level of communities that a question sees; null: all of them, and entities without one too ${code}`,
    ),
  dynamicSelection: flag(
    `With mode: global, a model first rates reports from the top, and only relevant ones are read ${code}`,
  ),
}

/** Options of the index: systems that agree in them share one. */
export const indexOptions = Object.keys(ofIndex)

/** All options; `compat` decides the default of `reportEdges`. */
export const graphragOptions = z.strictObject({ ...ofIndex, ...ofQuery }).transform(({ reportEdges, ...options }) => ({
  ...options,
  reportEdges: reportEdges ?? (options.compat ? 'first' : 'inner'),
}))

export type GraphragOptions = z.output<typeof graphragOptions>
