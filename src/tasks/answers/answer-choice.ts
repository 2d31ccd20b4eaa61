import { z } from 'zod'
import { sampledTask, twoMessages } from '../task.ts'

/** A multiple-choice question; an empty context asks for what the model knows (closed book). */
export interface AnswerChoiceInput {
  readonly question: string
  readonly options: readonly string[]
  readonly context: string
}

/** Multiple choice, one prompt for every method: options are numbered from 1, the reply is one number. */
export const answerChoice = sampledTask<AnswerChoiceInput, string>({
  name: 'answer-choice',
  version: 1,
  sample: {
    question: 'What did the keeper do when the lamp broke?',
    options: ['He rang a bell', 'He went to sleep', 'He rowed to the harbour', 'He wrote a letter'],
    context:
      'The storm blew all night. At two the lamp broke, and the keeper rang the great bell until the morning came.',
  },
  reply: 'text',
  output: z.string().trim().min(1),
  prompt: ({ question, options, context }) =>
    twoMessages(
      [
        `You answer multiple-choice questions. Exactly one option is right.
${context === '' ? 'Answer from what you know.' : 'Decide by the context below.'} If you are not sure, choose the likeliest option.
Reply with the number of the option and nothing else, for example: 1`,
        context && `Context:\n${context}`,
      ],
      `${question}\n\n${options.map((option, index) => `${index + 1}. ${option}`).join('\n')}`,
    ),
})
