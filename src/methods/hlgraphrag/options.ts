import { z } from 'zod'
import { flag, ungroundedOption } from '../shared/options.ts'

/** The switches of the paper's ladder, and the treatment of ungrounded names. */
export const hlGraphRagOptions = z.strictObject({
  relations: flag(
    'Subject-relation query: whether a model is asked for the relations between subjects (paper: SRQ).',
    true,
  ),
  events: flag(
    'Event context routing: whether a model is asked what events concern, why and when they happened (paper: ECR).',
    true,
  ),
  directedWeights: flag(
    'Directional weights: a relation, or an event of two subjects, has a label for each direction, in the active and the passive voice (paper: DW).',
    true,
  ),
  rankedRetrieval: flag(
    'Ranked retrieval: the search descends first to the neighbour whose label and text are nearest to the idea (paper: RR).',
    true,
  ),
  ungrounded: ungroundedOption,
})

type HlGraphRagOptions = z.output<typeof hlGraphRagOptions>

/** The options that the graph depends on. */
export const graphOptions = [
  'relations',
  'events',
  'directedWeights',
  'ungrounded',
] as const satisfies readonly (keyof HlGraphRagOptions)[]

export type GraphOptions = Pick<HlGraphRagOptions, (typeof graphOptions)[number]>

/** Maximum nodes of a search, start included (paper: 5; per main idea is our reading). */
export const nodesPerIdea = 5

/** Maximum main ideas of a message, one passage each (our reading). */
export const maxIdeas = 5
