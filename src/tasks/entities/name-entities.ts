import { z } from 'zod'
import { wordShape } from './triple.ts'
import { sampledTask, twoMessages } from '../task.ts'

/** The text of one passage. */
export interface NameEntitiesInput {
  readonly passage: string
}

/** The names that a passage holds. */
export interface NamedEntities {
  readonly named_entities: readonly string[]
}

/** The passage that the demonstrations of both OpenIE steps share. */
export const demonstratedPassage =
  'Arden Mill\nArden Mill is a water mill in Kent. John Bell built it in 1790. It ground corn for Maidstone until a fire closed it in May 1920.'

/** Names found in it, as a model should reply. */
export const demonstratedEntities = ['Arden Mill', 'Kent', 'John Bell', '1790', 'Maidstone', 'May 1920'] as const

/** First step of OpenIE: the named entities of a passage, dates and places included (HippoRAG 2, section 3.1; one-shot). */
export const nameEntities = sampledTask<NameEntitiesInput, NamedEntities>({
  name: 'name-entities',
  version: 1,
  sample: {
    passage: 'Robert Stevenson planned the lighthouse on Cape Wrath. It was built in 1828.',
  },
  reply: 'json',
  output: z.object({ named_entities: z.array(wordShape) }),
  prompt: ({ passage }) =>
    twoMessages(
      [
        `You find the named entities of a passage: people, places, organisations, works, events, dates and numbers that matter. Write each as the passage does, once.
Reply with JSON of this shape and nothing else: {"named_entities": ["...", "..."]}`,
      ],
      passage,
      {
        demonstration: [demonstratedPassage, JSON.stringify({ named_entities: demonstratedEntities })],
        maxTokens: 2048, // HippoRAG's own limit for OpenIE
      },
    ),
})
