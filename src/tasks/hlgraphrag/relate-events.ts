import { z } from 'zod'
import { optionalWordShape, wordShape } from '../entities/triple.ts'
import { sampledTask, twoMessages } from '../task.ts'

/** A text with the events and subjects found in it. */
export interface RelateEventsInput {
  readonly text: string
  readonly events: readonly string[]
  readonly subjects: readonly string[]
}

/** An event, up to two subjects that it concerns, why it happened and when; empty where the text does not say. */
export interface RelatedEvent {
  readonly event: string
  readonly object1: string
  readonly object2: string
  readonly why: string
  readonly time: string
}

export interface RelatedEvents {
  readonly events: readonly RelatedEvent[]
}

/** Event context routing: what the events of a chunk have to do with its subjects, why they happened and roughly when (HLGraphRAG, ECR). */
export const relateEvents = sampledTask<RelateEventsInput, RelatedEvents>({
  name: 'relate-events',
  version: 1,
  sample: {
    text: 'Robert Stevenson planned the lighthouse on Cape Wrath. It was built in 1828.',
    events: ['The lighthouse was built'],
    subjects: ['Robert Stevenson', 'lighthouse on Cape Wrath'],
  },
  reply: 'json',
  output: z.object({
    events: z.array(
      z.object({
        event: wordShape,
        object1: optionalWordShape,
        object2: optionalWordShape,
        why: optionalWordShape,
        time: optionalWordShape,
      }),
    ),
  }),
  prompt: ({ text, events, subjects }) =>
    twoMessages(
      [
        `You say of each event of a text which one or two subjects it concerns, why it happened, and in what general time frame. Leave a field empty ("") where the text does not say.
Reply with JSON of this shape and nothing else, for example:
{"events": [{"event": "A fire closed Arden Mill", "object1": "fire", "object2": "Arden Mill", "why": "the grain caught fire", "time": "spring of 1920"}]}`,
        `Text:\n${text}`,
      ],
      `Events:\n${JSON.stringify(events)}\n\nSubjects:\n${JSON.stringify(subjects)}`,
      { maxTokens: 4096 },
    ),
})
