import { z } from 'zod'
import { ungroundedOption } from '../shared/ungrounded-option.ts'

/** The switches of the paper's ladder, and what becomes of names that do not stand in a text. */
export const hlGraphRagOptions = z.strictObject({
  relations: z
    .boolean()
    .default(true)
    .describe('Subject-relation query: whether a model is asked for the relations between subjects (paper: SRQ).'),
  events: z
    .boolean()
    .default(true)
    .describe(
      'Event context routing: whether a model is asked what events concern, why and when they happened (paper: ECR).',
    ),
  directedWeights: z
    .boolean()
    .default(true)
    .describe(
      'Directional weights: a relation has a label for each direction, in the active and the passive voice; without it the same label both ways (paper: DW). Events of two subjects likewise.',
    ),
  rankedRetrieval: z
    .boolean()
    .default(true)
    .describe(
      'Ranked retrieval: the search descends first to the neighbour whose label and text are nearest to the idea, instead of the one that was stored first (paper: RR).',
    ),
  ungrounded: ungroundedOption,
})

type HlGraphRagOptions = z.output<typeof hlGraphRagOptions>

/** The options that decide what the graph holds. */
export const graphOptions = [
  'relations',
  'events',
  'directedWeights',
  'ungrounded',
] as const satisfies readonly (keyof HlGraphRagOptions)[]

export type GraphOptions = Pick<HlGraphRagOptions, (typeof graphOptions)[number]>

/** Nodes that the search collects at most, the first included (paper: 5; for each main idea is our reading). */
export const nodesPerIdea = 5

/** Main ideas that a message is taken apart into at most, one passage each (our reading). */
export const maxIdeas = 5
