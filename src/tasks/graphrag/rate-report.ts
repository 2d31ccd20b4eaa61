import { z } from 'zod'
import { numberShape } from '../task.ts'
import { sampledTask, twoMessages } from '../task.ts'

/** A question and the report on one community. */
export interface RateReportInput {
  readonly question: string
  readonly report: string
}

/** How much a report helps to answer a question, from 0 to 5 (GraphRAG's dynamic selection of communities). */
export const rateReport = sampledTask<RateReportInput, number>({
  name: 'rate-report',
  version: 2,
  sample: {
    question: 'Who planned the lighthouse?',
    report: 'Robert Stevenson planned the lighthouse on Cape Wrath.',
  },
  reply: 'json',
  output: z.object({ rating: numberShape }).transform(({ rating }) => rating),
  prompt: ({ question, report }) =>
    twoMessages(
      [
        `You rate how much a report helps to answer a question: 0 where it does not help at all, 5 where it holds the answer.
Reply with JSON of this shape and nothing else: {"rating": 3}`,
        `Report:\n${report}`.trim(),
      ],
      question,
      { maxTokens: 64 },
    ),
})
