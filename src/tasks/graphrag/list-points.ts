import { z } from 'zod'
import { sampledTask, twoMessages } from '../task.ts'

/** A question, reports as a table, and the longest reply, in words. */
export interface ListPointsInput {
  readonly question: string
  readonly reports: string
  readonly words: number
}

// what is written is looked at as it stands: whatever fits counts, as in the reference
const pointShape = z.toJSONSchema(z.object({ description: z.string(), score: z.number() }))
const { $schema: _, ...formOfPoint } = pointShape

/** The points of some reports that help to answer a question, each with a score from 0 to 100, as they were written (GraphRAG's map step). */
export const listPoints = sampledTask<ListPointsInput, { readonly points: unknown }>({
  name: 'list-points',
  version: 1,
  sample: {
    question: 'Who planned the lighthouse?',
    reports: 'id|title|content\n1|Cape Wrath|Robert Stevenson planned the lighthouse on Cape Wrath.',
    words: 1000,
  },
  reply: 'json',
  output: z.object({ points: z.array(z.unknown().meta(formOfPoint)) }),
  prompt: ({ question, reports, words }) =>
    twoMessages(
      [
        `You read reports and list the points in them that help to answer a question. Each point is a description of what the reports say, and a score from 0 to 100 of how much it helps; where nothing helps, one empty point of score 0. Add nothing that the reports do not say.
Reply with JSON of this shape and nothing else: {"points": [{"description": "John Bell built Arden Mill in 1790.", "score": 80}]}`,
        `Reports:\n${reports.trim()}`.trim(),
      ],
      `${question}\n\nList the points in at most ${words} words.`,
      { maxTokens: 2048 },
    ),
})
