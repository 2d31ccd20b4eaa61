import { z } from 'zod'
import type { AnswerStyle } from '../../types.ts'
import { sampledTask, twoMessages } from '../task.ts'

/** A free question; an empty context asks for what the model knows (closed book). */
export interface AnswerQuestionInput {
  readonly question: string
  readonly context: string
  readonly style: AnswerStyle
}

/** A free answer, one prompt for every method; the style line alone differs between datasets. */
export const answerQuestion = sampledTask<AnswerQuestionInput, string>({
  name: 'answer-question',
  version: 1,
  sample: {
    question: 'When was the lighthouse built?',
    context: 'The lighthouse stands on the western cape. It was built in 1871 by a company from Leith.',
    style: 'short',
  },
  reply: 'text',
  output: z.string().trim().min(1),
  prompt: ({ question, context, style }) =>
    twoMessages(style === 'unweaver' ? unweaver(context) : own(style, context), question),
})

function own(style: 'short' | 'sentence', context: string): readonly string[] {
  return [
    `You answer questions. Be correct and complete; leave out repetition and whatever was not asked.
${context === '' ? 'Answer from what you know.' : 'Use only the context below.'}
${styleLine(style, context === '' ? 'words' : 'exact words from the context')}`,
    context && `Context:\n${context}`,
  ]
}

/** What UnWeaver's Appendix E asks for, in our words: the same instructions and the same heading with an empty context (its ClosedBook). */
const unweaver = (context: string): readonly string[] => [
  `You are a question answering system. You are given a context and a question about it.
Your answer must be correct: it agrees with the context and contradicts nothing in it.
Your answer must be complete: it holds everything that the question asks for.
Leave out repetition, and leave out whatever does not help to answer the question.
Write the answer as one sentence, without any introduction or explanation.`,
  `Context:\n${context}`.trimEnd(),
]

/** Qasper's four types of answers, or one sentence. */
function styleLine(style: 'short' | 'sentence', words: string): string {
  switch (style) {
    case 'short':
      return `Reply with the shortest ${words} that answer the question, or with "yes" or "no", or with the single word "unanswerable". Write nothing else.`
    case 'sentence':
      return 'Reply with one correct and complete sentence.'
  }
}
