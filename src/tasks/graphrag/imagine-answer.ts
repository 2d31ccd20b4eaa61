import { z } from 'zod'
import { sampledTask, twoMessages } from '../task.ts'

/** A question, and a report of the kind that might answer it. */
export interface ImagineAnswerInput {
  readonly question: string
  readonly report: string
}

/** An invented answer in the form of a report; only its vector is used, to find reports like it (GraphRAG's drift search). */
export const imagineAnswer = sampledTask<ImagineAnswerInput, string>({
  name: 'imagine-answer',
  version: 1,
  sample: {
    question: 'Who planned the lighthouse?',
    report: '# Cape Wrath\n\nRobert Stevenson planned the lighthouse on Cape Wrath.',
  },
  reply: 'text',
  output: z.string().trim().min(1),
  prompt: ({ question, report }) =>
    twoMessages(
      [
        'You write what an answer to a question could look like: follow the form of the report below, and do not use its names and facts unless the question is about them. Reply with the answer alone.',
        `Report:\n${report}`.trim(),
      ],
      question,
      { maxTokens: 1024 },
    ),
})
