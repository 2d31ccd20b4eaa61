import { z } from 'zod'
import { sampledTask, twoMessages } from '../task.ts'
import { verdictShape } from './verdict.ts'

/** An answer without its question; `index` counts the questions wanted of it, from 0. */
export interface QuestionOfAnswerInput {
  readonly answer: string
  readonly index: number
}

/** What was asked, as far as the answer tells; any `noncommittal` but 0 means that the answer commits itself to nothing. */
export interface QuestionOfAnswer {
  readonly question: string
  readonly noncommittal: number
}

/** The question that an answer answers, and whether it does (RAGAS answer relevancy). */
export const questionOfAnswer = sampledTask<QuestionOfAnswerInput, QuestionOfAnswer>({
  name: 'question-of-answer',
  version: 1,
  sample: {
    answer: 'Robert Stevenson planned the lighthouse on Cape Wrath.',
    index: 0,
  },
  reply: 'json',
  whole: true,
  output: z.object({ question: z.string().trim(), noncommittal: verdictShape }),
  prompt: ({ answer, index }) =>
    twoMessages(
      [
        `You write the question that an answer was given to. Write as well whether the answer is noncommittal: 1 if it evades the question, stays vague or says that it does not know, and 0 if it says something definite.
Reply with JSON of this shape and nothing else. For example, for the answer "Arden Mill was built by John Bell.":
{"question": "Who built Arden Mill?", "noncommittal": 0}`,
      ],
      // equal prompts would be one call, and give one question
      `Answer: ${answer}\n\nWrite question number ${index + 1} that this may be the answer to.`,
      { maxTokens: 256 },
    ),
})
