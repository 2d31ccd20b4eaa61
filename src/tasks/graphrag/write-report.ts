import { z } from 'zod'
import { numberShape } from '../task.ts'
import { sampledTask, textShape, twoMessages } from '../task.ts'

/** What is known of a community, as tables or as texts, and the longest report, in words. */
export interface WriteReportInput {
  readonly context: string
  readonly words: number
}

/** A report on a community; `rating` from 0 to 10. */
export interface WrittenReport {
  readonly title: string
  readonly summary: string
  readonly rating: number
  readonly findings: readonly { readonly summary: string; readonly explanation: string }[]
}

const finding = z.union([
  z.object({ summary: z.string(), explanation: textShape }),
  z.string().transform((summary) => ({ summary, explanation: '' })),
])

/** A report on a community of entities (GraphRAG, section 2.8): title, summary, rating and findings. */
export const writeReport = sampledTask<WriteReportInput, WrittenReport>({
  name: 'write-report',
  version: 2,
  sample: {
    context: 'Robert Stevenson planned the lighthouse on Cape Wrath. It was built in 1828.',
    words: 2000,
  },
  reply: 'json',
  output: z
    .object({
      title: z.string().trim().min(1),
      summary: z.string().trim().min(1),
      rating: numberShape,
      rating_explanation: textShape.optional(),
      findings: z.array(finding),
    })
    .transform(({ title, summary, rating, findings }) => ({
      title,
      summary,
      rating: Math.min(10, Math.max(0, rating)),
      findings,
    })),
  prompt: ({ context, words }) =>
    twoMessages(
      [
        `You write a report on a group of related entities. Say who and what they are, how they are related, and what matters about them; claim nothing that the data does not say.
It has a short title with the main names, a summary of the whole, a rating from 0 to 10 of how important the group is with one sentence that explains it, and five to ten findings, each a short summary and an explanation of some sentences.
Reply with JSON of this shape and nothing else:
{"title": "Arden Mill and John Bell", "summary": "The group is about a water mill and its builder.", "rating": 4, "rating_explanation": "The mill fed one town.", "findings": [{"summary": "John Bell built the mill", "explanation": "John Bell built Arden Mill in 1790."}]}`,
        `Data:\n${context.trim()}`.trim(),
      ],
      `Write the report in at most ${words} words.`,
      { maxTokens: 4096 },
    ),
})
