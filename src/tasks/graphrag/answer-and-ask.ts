import { z } from 'zod'
import { numberShape } from '../task.ts'
import { sampledTask, twoMessages } from '../task.ts'

/** A question, the main one that it serves, what is known, and how many follow-up questions there may be. */
export interface AnswerAndAskInput {
  readonly question: string
  readonly main: string
  readonly context: string
  readonly most: number
}

/** An answer, how far it answers the main question, from 0 to 100, and what to ask next. */
export interface AnsweredAndAsked {
  readonly answer: string
  readonly score: number
  readonly followUps: readonly string[]
}

/** A step of GraphRAG's drift search: an answer from what is known, and follow-up questions. */
export const answerAndAsk = sampledTask<AnswerAndAskInput, AnsweredAndAsked>({
  name: 'answer-and-ask',
  version: 2,
  sample: {
    question: 'Who planned the lighthouse?',
    main: 'Who was Robert Stevenson?',
    context: 'Robert Stevenson planned the lighthouse on Cape Wrath.',
    most: 5,
  },
  reply: 'json',
  output: z
    .object({
      answer: z.string(),
      score: numberShape,
      follow_up_questions: z.array(z.string().trim().min(1)),
    })
    .transform(({ answer, score, follow_up_questions: followUps }) => ({ answer, score, followUps })),
  prompt: ({ question, main, context, most }) =>
    twoMessages(
      [
        `You answer a question from the data below, and say how far the answer helps with the main question, from 0 to 100. Then you list up to ${most} follow-up questions whose answers would help more. Say only what the data says.
Reply with JSON of this shape and nothing else: {"answer": "John Bell built it.", "score": 60, "follow_up_questions": ["When was Arden Mill built?"]}`,
        `Main question: ${main}`,
        `Data:\n${context.trim()}`.trim(),
      ],
      question,
      { maxTokens: 2048 },
    ),
})
