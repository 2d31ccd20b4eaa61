import { z } from 'zod'
import { demonstratedEntities, demonstratedPassage } from './name-entities.ts'
import { type Triple, tripleOf, tripleShape } from './triple.ts'
import { sampledTask, twoMessages } from '../task.ts'

/** A passage and the entities named in it. */
export interface ExtractTriplesInput {
  readonly passage: string
  readonly entities: readonly string[]
}

/** The facts of a passage; `malformed` counts what was no triple. */
export interface Triples {
  readonly triples: readonly Triple[]
  readonly malformed: number
}

// a triple is asked for, and whatever is written is looked at, for it to be counted
const { $schema: _, ...formOfTriple } = z.toJSONSchema(tripleShape, { io: 'input' })

/** Second step of OpenIE: the facts of a passage as triples around its named entities (HippoRAG 2, section 3.1; one-shot). */
export const extractTriples = sampledTask<ExtractTriplesInput, Triples>({
  name: 'extract-triples',
  version: 1,
  sample: {
    passage: 'Robert Stevenson planned the lighthouse on Cape Wrath. It was built in 1828.',
    entities: ['Robert Stevenson', 'Cape Wrath', '1828'],
  },
  reply: 'json',
  output: z
    .object({ triples: z.array(z.unknown().meta(formOfTriple)) })
    .transform(({ triples: written }) => {
      const triples = written.flatMap(tripleOf)
      return { triples, malformed: written.length - triples.length }
    })
    .refine(({ triples, malformed }) => triples.length > 0 || malformed === 0, 'no item is a list of three strings'),
  prompt: (input) =>
    twoMessages(
      [
        `You write down the facts of a passage as triples of subject, predicate and object. Each triple holds at least one, better two, of the named entities. Write names instead of pronouns.
Reply with JSON of this shape and nothing else: {"triples": [["subject", "predicate", "object"]]}`,
      ],
      askedOf(input),
      {
        demonstration: [
          askedOf({ passage: demonstratedPassage, entities: demonstratedEntities }),
          JSON.stringify({ triples: demonstratedTriples }),
        ],
        maxTokens: 2048, // HippoRAG's own limit for OpenIE
      },
    ),
})

const demonstratedTriples: readonly Triple[] = [
  ['Arden Mill', 'is a', 'water mill'],
  ['Arden Mill', 'is in', 'Kent'],
  ['John Bell', 'built', 'Arden Mill'],
  ['Arden Mill', 'was built in', '1790'],
  ['Arden Mill', 'ground corn for', 'Maidstone'],
  ['a fire', 'closed', 'Arden Mill'],
  ['Arden Mill', 'was closed in', 'May 1920'],
]

const askedOf = ({ passage, entities }: ExtractTriplesInput): string =>
  `Passage:\n${passage}\n\nNamed entities:\n${JSON.stringify(entities)}`
