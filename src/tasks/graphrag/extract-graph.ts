import { sampledTask, textShape } from '../task.ts'
import { z } from 'zod'
import type { Message } from '../../types.ts'
import {
  endMarker,
  entityRecord,
  readDelimited,
  relationRecord,
  strengthOf,
  type GraphRecords,
} from './graph-records.ts'

/** A text, and what was already replied in the same chat: then more is asked for. */
export interface ExtractGraphInput {
  readonly text: string
  readonly entityTypes: readonly string[]
  readonly replies: readonly GraphReply[]
}

/** What a reply says; `delimited` is the reply itself where it came in the reference's delimiter form. */
export interface GraphReply extends GraphRecords {
  readonly delimited?: string
}

const named = z.string().trim().min(1)

/** The entities of a text and how they are related (GraphRAG, section 2.2), as JSON or in the reference's delimiter form. */
export const extractGraph = sampledTask<ExtractGraphInput, GraphReply>({
  name: 'extract-graph',
  version: 2,
  sample: {
    text: 'Robert Stevenson planned the lighthouse on Cape Wrath. It was built in 1828.',
    entityTypes: ['organization', 'person', 'geo', 'event'],
    replies: [],
  },
  reply: 'json',
  output: z
    .object({
      entities: z.array(z.object({ name: named, type: textShape, description: textShape })),
      relationships: z.array(
        z.object({
          source: named,
          target: named,
          description: textShape,
          strength: z.union([z.number(), z.string()]).nullish(),
        }),
      ),
    })
    .transform(({ entities, relationships }) => ({
      entities: entities.map(({ name, type, description }) => entityRecord(name, type, description)),
      relationships: relationships.map(({ source, target, description, strength }) =>
        relationRecord(source, target, description, strengthOf(String(strength ?? ''))),
      ),
    })),
  readsAlso(reply) {
    const { skipped, ...records } = readDelimited(reply)
    const isEmpty = records.entities.length + records.relationships.length === 0
    // JSON may hold the end marker too: by itself it says that there is nothing
    return isEmpty && reply !== endMarker ? undefined : { value: { ...records, delimited: reply }, skipped }
  },
  prompt: ({ text, entityTypes, replies }) => {
    const system = `You write down the graph of a text. First its entities of the types ${entityTypes.join(', ')}: the name, the type, and a full description of what the text says of it. Then every pair of these entities that the text clearly relates: the names of both, why they are related, and how strongly, as a number from 1 to 10.
Reply with JSON of this shape and nothing else:
{"entities": [{"name": "Arden Mill", "type": "organization", "description": "A water mill that ground corn."}, {"name": "John Bell", "type": "person", "description": "The builder of Arden Mill."}], "relationships": [{"source": "John Bell", "target": "Arden Mill", "description": "John Bell built Arden Mill.", "strength": 8}]}`
    const messages: readonly Message[] = [
      { role: 'system', content: `${system}\n\nText:\n${text}` },
      { role: 'user', content: 'Write down the entities and relationships of this text.' },
      ...replies.flatMap((reply): readonly Message[] => [
        { role: 'assistant', content: reply.delimited ?? JSON.stringify(reply) },
        {
          role: 'user',
          content: 'Many entities and relationships were missed. Write down those that are missing, in the same form.',
        },
      ]),
    ]
    return { messages, maxTokens: 4096 }
  },
})
