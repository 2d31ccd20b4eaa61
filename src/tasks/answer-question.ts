import { z } from 'zod'
import { defineTask } from '../define.ts'
import type { AnswerStyle } from '../types.ts'
import { twoMessages } from './two-messages.ts'

/** A free question; an empty context asks for what the model knows (closed book). */
export interface AnswerQuestionInput {
  readonly question: string
  readonly context: string
  readonly style: AnswerStyle
}

/** A free answer, one prompt for every method; the style line alone differs between datasets. */
export const answerQuestion = defineTask<AnswerQuestionInput, string>({
  name: 'answer-question',
  version: 1,
  reply: 'text',
  output: z.string().trim().min(1),
  prompt: ({ question, context, style }) =>
    twoMessages(
      [
        `You answer questions. Be correct and complete; leave out repetition and whatever was not asked.
${context === '' ? 'Answer from what you know.' : 'Use only the context below.'}
${styleLine(style, context === '' ? 'words' : 'exact words from the context')}`,
        context && `Context:\n${context}`,
      ],
      question,
    ),
})

export const sample: AnswerQuestionInput = {
  question: 'When was the lighthouse built?',
  context: 'The lighthouse stands on the western cape. It was built in 1871 by a company from Leith.',
  style: 'short',
}

/** Qasper's four types of answers, or UnWeaver's one sentence (appendix E). */
function styleLine(style: AnswerStyle, words: string): string {
  switch (style) {
    case 'short':
      return `Reply with the shortest ${words} that answer the question, or with "yes" or "no", or with the single word "unanswerable". Write nothing else.`
    case 'sentence':
      return 'Reply with one correct and complete sentence.'
  }
}
