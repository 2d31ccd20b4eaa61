import { z } from 'zod'
import { sampledTask, twoMessages } from '../task.ts'

/** A question, the passages that were found for it, and how the reply is drawn. */
export interface AnswerFromPassagesInput {
  readonly question: string
  readonly passages: readonly string[]
  readonly temperature: number
}

/** A brief but complete answer, which becomes a node of the graph (Graph of Records, responses). */
export const answerFromPassages = sampledTask<AnswerFromPassagesInput, string>({
  name: 'answer-from-passages',
  version: 1,
  sample: {
    question: 'Why was the lamp on the western cape lit?',
    passages: [
      'The lighthouse on the western cape was built in 1871.',
      'The keeper lit the lamp every evening, since ships from Leith passed the cape at night.',
    ],
    temperature: 0,
  },
  reply: 'text',
  output: z.string().trim().min(1),
  prompt: ({ question, passages, temperature }) =>
    twoMessages(
      [
        'The passages below are parts of a meeting, a story, a report, a document or another narrative. Answer the question from them, briefly but completely. Reply with the answer alone.',
        `Passages:\n${passages.join('\n\n')}`.trim(),
      ],
      question,
      { sampling: { temperature, variant: 0 } },
    ),
})
