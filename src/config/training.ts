import { z } from 'zod'

const count = z.int().min(1)
const share = z.number().min(0).lt(1)

/** What `gembench train` does, in two sizes: what a processor does in minutes, and what the paper's code does. */
const presets = {
  cpu: { heads: 1, layers: 2, epochs: 25, rate: 1e-3, batch: 8, labels: 'bertscore' },
  reference: { heads: 4, layers: 2, epochs: 150, rate: 1e-3, batch: 32, labels: 'bertscore' },
} as const

const ofPreset = (name: keyof (typeof presets)['cpu']): string =>
  `default: ${presets.cpu[name]} with preset cpu, ${presets.reference[name]} with reference`

/** The key `train` of a config: how the network of graph-of-records is trained. */
export const train = z.strictObject({
  preset: z
    .enum(['cpu', 'reference'])
    .default('cpu')
    .describe(
      'what the other keys are where they are not given: a size for a processor, or that of the code of the paper',
    ),
  heads: count.optional().describe(`heads of a layer, each as wide as a vector; ${ofPreset('heads')}`),
  layers: count.optional().describe(`layers of the network; ${ofPreset('layers')}`),
  epochs: count.optional().describe(`how often every graph is trained on; ${ofPreset('epochs')}`),
  rate: z
    .number()
    .positive()
    .optional()
    .describe(`learning rate at the beginning; ${ofPreset('rate')}`),
  batch: count.optional().describe(`graphs of a step; ${ofPreset('batch')}`),
  labels: z
    .enum(['bertscore', 'cosine'])
    .optional()
    .describe(
      `what orders the nodes for a simulated query: how near they are to the text that it was asked about, by BERTScore over the vectors of their tokens (the objective of the paper), or by the cosine of their vectors, which is faster; ${ofPreset('labels')}`,
    ),
  dropout: share.default(0.2).describe('share of the numbers that go into a layer and are left out'),
  attentionDropout: share.default(0.1).describe('share of the messages that are left out'),
  contrastive: z
    .boolean()
    .default(true)
    .describe(
      'whether the contrastive loss counts; false: ablation of the paper, with coe: 0 the network stays as it began',
    ),
  coe: z.number().min(0).default(0.5).describe('weight of the ranking loss; 0: ablation of the paper'),
  tieRule: z
    .enum(['position', 'skip'])
    .default('position')
    .describe(
      'whether nodes of equal labels are a pair of the ranking loss, in their order (code of the paper), or none',
    ),
  direction: z
    .enum(['toResponse', 'both'])
    .default('toResponse')
    .describe('messages from materials to responses (code of the paper), or both ways (its text)'),
  duplicateSelfLoop: z
    .enum(['merge', 'keep'])
    .default('merge')
    .describe(
      'whether the message of a response to itself counts twice where it is its own material (keep: code of the paper)',
    ),
})

/** How a network is trained, what the preset says filled in. */
export function trainingOf({ preset, ...given }: z.output<typeof train>) {
  const usual = presets[preset]
  return {
    ...{ preset, ...given, heads: given.heads ?? usual.heads, layers: given.layers ?? usual.layers },
    ...{ epochs: given.epochs ?? usual.epochs, rate: given.rate ?? usual.rate, batch: given.batch ?? usual.batch },
    labels: given.labels ?? usual.labels,
  }
}

export type PlannedTraining = ReturnType<typeof trainingOf>
