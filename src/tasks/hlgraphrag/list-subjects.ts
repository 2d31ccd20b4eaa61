import { z } from 'zod'
import { wordShape } from '../entities/triple.ts'
import { sampledTask, twoMessages } from '../task.ts'

/** The text of one chunk. */
export interface ListSubjectsInput {
  readonly text: string
}

/** Whom and what a text speaks of, and what happens in it. */
export interface Subjects {
  readonly subjects: readonly string[]
  readonly events: readonly string[]
}

/** The subjects and the events of a chunk, which its relations and its events are then asked for (HLGraphRAG, index; one call for both is our reading). */
export const listSubjects = sampledTask<ListSubjectsInput, Subjects>({
  name: 'list-subjects',
  version: 1,
  sample: {
    text: 'Robert Stevenson planned the lighthouse on Cape Wrath. It was built in 1828.',
  },
  reply: 'json',
  output: z.object({ subjects: z.array(wordShape), events: z.array(wordShape) }),
  prompt: ({ text }) =>
    twoMessages(
      [
        `You list the subjects and the events of a text. Subjects are people, places, works, things and ideas, each named once as the text names it. Events are what happens or happened, each as a short sentence.
Reply with JSON of this shape and nothing else, for example:
{"subjects": ["Arden Mill", "John Bell"], "events": ["A fire closed Arden Mill"]}`,
        `Text:\n${text}`,
      ],
      'List the subjects and the events of this text.',
      { maxTokens: 2048 },
    ),
})
