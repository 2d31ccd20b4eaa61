import { z } from 'zod'
import { fileOption } from '../../define.ts'
import { similarities } from './retrieval.ts'

const code = '(ulab-uiuc/GoR@47ac674)'
const reading = '(our reading)'

/** The seed of the reference code. */
export const usualSeed = 42

/** Options that the record graph depends on: rows that agree in them share one, with its calls. */
export const ofGraph = {
  scope: z
    .enum(['document', 'corpus'])
    .default('document')
    .describe(`What one record graph is made of: each document ${code}, or all documents of a corpus ${reading}`),
  chunkTokens: z
    .union([z.literal('run'), z.int().min(1)])
    .default('run')
    .describe(
      `Longest chunk, in tokens of o200k_base, cut from each document anew: 256 ${code}; run: the chunks of the config, as every method has them ${reading}`,
    ),
  overlap: z
    .int()
    .min(0)
    .default(32)
    .describe(`Tokens that a chunk repeats from the one before; not used with chunkTokens: run ${code}`),
  simulatedQueries: z.int().min(0).default(30).describe(`Simulated queries of one record graph ${code}`),
  queryTemperature: z
    .number()
    .min(0)
    .max(2)
    .default(0.5)
    .describe(`Temperature of the model that writes simulated queries ${code}`),
  responseTemperature: z
    .number()
    .min(0)
    .max(2)
    .default(0)
    .describe(`Temperature of the model that answers simulated queries ${code}`),
  attempts: z
    .int()
    .min(1)
    .default(5)
    .describe(
      `Attempts for each simulated query, at most: what a model asks twice is asked anew from another chunk ${reading}`,
    ),
  maxCalls: z
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe(
      `Calls to a language model for one record graph, at most: after attempts in vain there are fewer simulated queries; null: twice simulatedQueries ${reading}`,
    ),
  materials: z
    .int()
    .min(1)
    .default(6)
    .describe(`Nodes that a simulated query finds, from which it is answered ${code}`),
  dropRefusals: z
    .boolean()
    .default(false)
    .describe(`Whether a response that says that the passages do not tell has no edges ${reading}`),
  seed: z
    .int()
    .min(0)
    .max(0xffffffff)
    .nullable()
    .default(null)
    .describe(
      `Seed of the chunks that simulated queries are asked about; null: ${usualSeed} ${code} in the first repeat, others in the others`,
    ),
}

/** Their names. */
export const graphOptionNames = Object.keys(ofGraph)

/** How chunks of the run become chunks of a record graph: at most as much is repeated as they are long. */
export const fitsOverlap = ({ chunkTokens, overlap }: Pick<GraphOptions, 'chunkTokens' | 'overlap'>) =>
  chunkTokens === 'run' || overlap < chunkTokens

/** What `fitsOverlap` finds, in words. */
export const overlapRule = { path: ['overlap'], error: 'must be smaller than chunkTokens' }

/** Options that retrieval alone reads. */
export const ofRetrieval = {
  topK: z.int().min(1).default(6).describe(`Passages of a context at most ${code}`),
  similarity: z
    .enum(similarities)
    .default('cosine')
    .describe(`How a question is compared with nodes; training compares them by inner product ${code}`),
  responses: z
    .boolean()
    .default(true)
    .describe('Whether responses are passages; false: chunks alone (ablation of the paper)'),
}

const ofNetwork = {
  gnn: z
    .enum(['none', 'trained'])
    .default('none')
    .describe(
      'none: nodes are found by the vectors of their texts (ablation of the paper; the default, since weights must be trained first); trained: by what a trained network makes of them, for which weights must be given (paper)',
    ),
  weights: fileOption(
    z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'File that `gembench train` wrote, relative to the config; its training stands in it: to compare several trainings (without the contrastive loss, without the ranking loss, with messages both ways), vary this option',
      ),
  ),
}

/** Options of the method. */
export const recordOptions = z
  .strictObject({ ...ofNetwork, ...ofGraph, ...ofRetrieval })
  .refine(fitsOverlap, overlapRule)
  .refine(({ gnn, weights }) => gnn === 'none' || weights !== null, {
    path: ['weights'],
    error:
      'must name the file of the trained weights where gnn is trained: write one with gembench train, or set gnn: none',
  })
  .refine(({ gnn, weights }) => gnn === 'trained' || weights === null, {
    path: ['gnn'],
    error: 'must be trained where weights are given',
  })

export type GraphOptions = z.infer<z.ZodObject<typeof ofGraph>>
export type RetrievalOptions = z.infer<z.ZodObject<typeof ofRetrieval>>
export type RecordOptions = z.infer<typeof recordOptions>
