import { z } from 'zod'
import { fileOption } from '../../define.ts'

const code = '(ulab-uiuc/GoR@47ac674)'
const reading = '(our reading)'

/** Options that the record graph depends on: rows that agree in them share one, with its calls. */
export const ofGraph = {
  scope: z
    .enum(['auto', 'document', 'corpus'])
    .default('auto')
    .describe(
      `What one record graph is made of: each document ${code}, or all documents of a corpus; auto: corpus where at least half of several documents have no more than 6 chunks, all of which every simulated query would find, else document ${reading}`,
    ),
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
}

/** Their names. */
export const graphOptionNames = ['scope', 'chunkTokens', 'overlap', 'simulatedQueries'] as const

/** How many passages a question finds. */
export const topK = z.int().min(1).default(6).describe(`Passages of a context at most ${code}`)

/** How chunks of the run become chunks of a record graph: at most as much is repeated as they are long. */
export const fitsOverlap = ({ chunkTokens, overlap }: Pick<GraphOptions, 'chunkTokens' | 'overlap'>) =>
  chunkTokens === 'run' || overlap < chunkTokens

/** What `fitsOverlap` finds, in words. */
export const overlapRule = { path: ['overlap'], error: 'must be smaller than chunkTokens' }

/** Options of the method. */
export const recordOptions = z
  .strictObject({
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
    ...ofGraph,
    topK,
    responses: z
      .boolean()
      .default(true)
      .describe('Whether responses are passages; false: chunks alone (ablation of the paper)'),
  })
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
export type RecordOptions = z.infer<typeof recordOptions>
