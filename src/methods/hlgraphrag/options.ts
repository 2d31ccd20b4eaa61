import { z } from 'zod'

const reading = '(our reading)'

/** The switches of the paper's ladder, and what the paper leaves open. */
export const hlGraphRagOptions = z.strictObject({
  srq: z
    .boolean()
    .default(true)
    .describe('Subject-relation query: whether a model is asked for the relations between subjects (paper: SRQ).'),
  ecr: z
    .boolean()
    .default(true)
    .describe(
      'Event context routing: whether a model is asked what events concern, why and when they happened (paper: ECR).',
    ),
  dw: z
    .boolean()
    .default(true)
    .describe(
      'Directional weights: a relation has a label for each direction, in the active and the passive voice; without it the same label both ways (paper: DW). Events have one label in any case (our reading).',
    ),
  rr: z
    .boolean()
    .default(true)
    .describe(
      'Ranked retrieval: the search descends first to the neighbour whose label and text are nearest to the idea, instead of the one that was stored first (paper: RR).',
    ),
  nodesPerIdea: z
    .int()
    .min(1)
    .max(1000)
    .default(5)
    .describe(
      'Nodes that the search collects at most, the first included (paper: 5; for each main idea is our reading).',
    ),
  maxIdeas: z
    .int()
    .min(1)
    .default(5)
    .describe(`Main ideas that a message is taken apart into at most, one passage each ${reading}.`),
  nodeMergeCosine: z
    .number()
    .gt(0)
    .max(1)
    .nullable()
    .default(null)
    .describe(
      `Cosine from which on two subjects are one node, such as 0.95; null: only where their texts are the same but for case and outer spaces ${reading}.`,
    ),
  searchTerm2: z
    .enum(['idea', 'message'])
    .default('idea')
    .describe(`With rr: what labels are compared with, the main idea or the whole message ${reading}.`),
})

export type HlGraphRagOptions = z.output<typeof hlGraphRagOptions>

/** The options that decide what the graph holds. */
export const graphOptions = [
  'srq',
  'ecr',
  'dw',
  'nodeMergeCosine',
] as const satisfies readonly (keyof HlGraphRagOptions)[]

export type GraphOptions = Pick<HlGraphRagOptions, (typeof graphOptions)[number]>
