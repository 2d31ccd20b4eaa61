import { z } from 'zod'
import { sampledTask, twoMessages } from '../task.ts'
import { reasonShape, verdictShape } from './verdict.ts'

/** A passage that was retrieved for a question, and the answer that is right. */
export interface JudgeUsefulnessInput {
  readonly question: string
  readonly answer: string
  readonly passage: string
}

/** Any verdict but 0 means useful. */
export interface Usefulness {
  readonly reason: string
  readonly verdict: number
}

/** Whether a passage helps to arrive at the right answer (RAGAS context precision). */
export const judgeUsefulness = sampledTask<JudgeUsefulnessInput, Usefulness>({
  name: 'judge-usefulness',
  version: 1,
  sample: {
    question: 'Who planned the lighthouse on Cape Wrath?',
    answer: 'Robert Stevenson',
    passage: 'The lighthouse on Cape Wrath was built in 1828. Robert Stevenson planned it.',
  },
  reply: 'json',
  whole: true,
  output: z.object({ reason: reasonShape, verdict: verdictShape }),
  prompt: ({ question, answer, passage }) =>
    twoMessages(
      [
        `You judge whether a passage helps to arrive at the given answer to a question, by itself or as a step on the way. The verdict is 1 if it helps, and 0 if it does not. Take the answer for right, whatever you know.
Reply with JSON of this shape and nothing else. For example, for the question "Who built Arden Mill?", the answer "John Bell" and the passage "Arden Mill was built by John Bell in 1790.":
{"reason": "The passage names the builder of the mill.", "verdict": 1}`,
        `Passage:\n${passage}`,
      ],
      `Question: ${question}\nAnswer: ${answer}`,
      { maxTokens: 512 },
    ),
})
