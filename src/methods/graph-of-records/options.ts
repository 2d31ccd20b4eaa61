import { z } from 'zod'
import { fileOption } from '../../define.ts'
import { choice } from '../shared/options.ts'

/** Options of the method. */
export const recordOptions = z
  .strictObject({
    gnn: choice(
      ['none', 'trained'],
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
    responses: z
      .boolean()
      .default(true)
      .describe('Whether responses are passages; false: chunks alone (ablation of the paper)'),
  })
  .refine(({ gnn, weights }) => gnn === 'none' || weights !== null, {
    path: ['weights'],
    error:
      'must name the file of the trained weights where gnn is trained: write one with gembench train, or set gnn: none',
  })
  .refine(({ gnn, weights }) => gnn === 'trained' || weights === null, {
    path: ['gnn'],
    error: 'must be trained where weights are given',
  })
