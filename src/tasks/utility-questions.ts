import { z } from 'zod'
import { sampledTask, twoMessages } from './task.ts'

/** A text and the number of questions wanted. */
export interface UtilityQuestionsInput {
  readonly text: string
  readonly count: number
}

const shownQuestions = '["Who built the mill at Arden?", "Why was the mill closed?"]'

/** Questions that a text can answer: its utility (GEM-RAG, section III). */
export const utilityQuestions = sampledTask<UtilityQuestionsInput, readonly string[]>({
  name: 'utility-questions',
  version: 1,
  sample: {
    text: 'The lighthouse on the western cape was built in 1871. The keeper lit the lamp every evening, since ships from Leith passed the cape at night.',
    count: 3,
  },
  reply: 'json',
  example: shownQuestions,
  output: z.array(z.string().trim().min(1)),
  halves: ({ text, count }) =>
    count < 2
      ? undefined
      : [
          { text, count: Math.ceil(count / 2) },
          { text, count: Math.floor(count / 2) },
        ],
  joined: (first, second) => [...new Set([...first, ...second])],
  prompt: ({ text, count }) =>
    twoMessages(
      [
        `You write questions that a text can answer. Each question can be answered from the text alone, asks for something else than the others, and names what it is about instead of saying "the text" or "he".
Reply with a JSON list of strings and nothing else, for example:
${shownQuestions}`,
        `Text:\n${text}`,
      ],
      `Write ${count} ${count === 1 ? 'question' : 'questions'} that this text can answer.`,
    ),
})
