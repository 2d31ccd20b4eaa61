import { z } from 'zod'
import { sampledTask, twoMessages } from '../task.ts'

/** A request whose answer is a summary; an empty context asks for what the model knows (closed book). */
export interface AnswerSummaryInput {
  readonly question: string
  readonly context: string
}

/** A long answer in whole sentences, one prompt for every method; how long it is, is for the material to say. */
export const answerSummary = sampledTask<AnswerSummaryInput, string>({
  name: 'answer-summary',
  version: 1,
  sample: {
    question: 'Summarise how the keepers lived at the lighthouse.',
    context:
      'The lighthouse on the western cape was built in 1871. The keeper and his daughter lived there for thirty years.\n\nIn winter no boat could reach them. They kept two goats and a garden behind the wall.',
  },
  reply: 'text',
  output: z.string().trim().min(1),
  prompt: ({ question, context }) =>
    twoMessages(
      [
        `You write summaries that answer a request. Cover everything that the request asks for, in plain connected sentences: one paragraph, or a few where there is much to say.
${context === '' ? 'Answer from what you know.' : 'Use only the context below; its parts may be out of order.'}
Leave out repetition and whatever was not asked. Reply with the summary alone.`,
        context && `Context:\n${context}`,
      ],
      question,
      { maxTokens: 1024 },
    ),
})
