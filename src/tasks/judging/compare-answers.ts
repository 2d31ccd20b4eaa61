import { z } from 'zod'
import { numberIn } from '../task.ts'
import { sampledTask, twoMessages } from '../task.ts'
import { reasonShape } from './verdict.ts'

/** What answers are compared on, and what is asked of a judge about it. Directness is the control: it speaks against long answers. */
export const comparedOn = {
  comprehensiveness: 'Which answer covers more of the aspects and details that the question asks for?',
  diversity: 'Which answer is richer in different perspectives and insights on the question?',
  empowerment: 'Which answer helps its reader better to understand the subject and to judge it well?',
  directness: 'Which answer addresses the question more directly, without what was not asked for?',
} as const

export type Criterion = keyof typeof comparedOn

/** Two answers to one question in the order in which a judge reads them. */
export interface CompareAnswersInput {
  readonly question: string
  readonly criterion: Criterion
  readonly first: string
  readonly second: string
}

/** Which answer is better: the first, the second, or neither. */
export interface Comparison {
  readonly reason: string
  readonly winner: 0 | 1 | 2
}

/** Which of two answers is better on one criterion (GraphRAG, section 4; microsoft/benchmark-qed, autoe; the words are ours). */
export const compareAnswers = sampledTask<CompareAnswersInput, Comparison>({
  name: 'compare-answers',
  version: 1,
  sample: {
    question: 'Who planned the lighthouse on Cape Wrath?',
    criterion: 'comprehensiveness',
    first: 'Robert Stevenson.',
    second: 'Robert Stevenson planned it, and it was built in 1828.',
  },
  reply: 'json',
  whole: true,
  output: z.object({ reason: reasonShape, winner: z.preprocess(numberIn, z.literal([0, 1, 2])) }),
  prompt: ({ question, criterion, first, second }) =>
    twoMessages(
      [
        `You compare two answers to a question on one criterion alone:
${comparedOn[criterion]}
The winner is 1 if the first answer is better on it, 2 if the second is, and 0 if they are about as good. The order of the answers, and their length by itself, must not matter. First give the reason in one or two sentences, then the winner.
Reply with JSON of this shape and nothing else:
{"reason": "The second answer also names the builder.", "winner": 2}`,
      ],
      `Question: ${question}\n\nFirst answer:\n${first}\n\nSecond answer:\n${second}`,
      { maxTokens: 512 },
    ),
})
