import { textTask } from './task.ts'
import { placeholdersIn } from '../text/placeholders.ts'
import type { AnswerStyle, Turn, AnyTask, Kind, PromptTemplates } from '../types.ts'
import { choiceFor, sentenceFor, shortAnswer } from './stand-ins/answers.ts'
import { summaryFor } from './stand-ins/summaries.ts'

const contextPart = ({ context }: { readonly context: string }) => context && `Context:\n${context}`

/** Multiple choice, one prompt for every method: options are numbered from 1, the reply is a number. */
export const answerChoice = textTask({
  name: 'answer-choice',
  version: 2,
  sample: {
    question: 'What did the keeper do when the lamp broke?',
    options: ['He rang a bell', 'He went to sleep', 'He rowed to the harbour', 'He wrote a letter'],
    context:
      'The storm blew all night. At two the lamp broke, and the keeper rang the great bell until the morning came.',
  },
  offline: choiceFor,
  system: [
    ({ context }) => `You answer multiple-choice questions. Exactly one option is right.
${context === '' ? 'Answer from what you know.' : 'Decide by the context below.'} If you are not sure, choose the likeliest option.
Reply with the number of the option and nothing else, for example: 1`,
    contextPart,
  ],
  user: ({ question, options }) =>
    `${question}\n\n${options.map((option, index) => `${index + 1}. ${option}`).join('\n')}`,
})

/** Whether a custom prompt for `answer-choice` lists the options by letters; the default lists numbers. */
export const listsByLetter = (templates: PromptTemplates): boolean =>
  (templates[answerChoice.name] ?? []).some(({ content }) =>
    placeholdersIn(content).placeholders.some(({ field, layout }) => field === 'options' && layout === 'lettered'),
  )

/** An open question; an empty context means closed book. */
export interface AnswerQuestionInput {
  readonly question: string
  readonly context: string
  readonly style: AnswerStyle
}

/** An open answer, one prompt for every method; only the style line differs between datasets. */
export const answerQuestion = textTask<AnswerQuestionInput>({
  name: 'answer-question',
  version: 2,
  sample: {
    question: 'When was the lighthouse built?',
    context: 'The lighthouse stands on the western cape. It was built in 1871 by a company from Leith.',
    style: 'short',
  },
  replyTokens: ({ style }) => ({ short: 5, span: 5, sentence: 30, reasoned: 120 })[style],
  offline: ({ question, context, style }) =>
    style === 'sentence' ? sentenceFor(question, context) : shortAnswer(question, context),
  system: [
    (input) => `You answer questions. Be correct and complete; leave out repetition and whatever was not asked.
${input.context === '' ? 'Answer from what you know.' : 'Use only the context below.'}
${styleLine(input.style, input.context === '' ? 'words' : 'exact words from the context')}`,
    contextPart,
  ],
  user: '{{question}}',
})

function styleLine(style: AnswerStyle, words: string) {
  switch (style) {
    case 'short':
    case 'span':
      return `Reply with the shortest ${words} that answer the question, or with "yes" or "no"${style === 'short' ? ', or with the single word "unanswerable"' : ''}. Write in the language of the question, and nothing else.`
    case 'sentence':
      return 'Reply with one correct and complete sentence, in the language of the question.'
    case 'reasoned':
      return `Begin with "Thought:" and reason step by step. Then write "Answer:" and the shortest ${words} that answer the question, in its language, and nothing after them.`
  }
}

/** A long answer in whole sentences, one prompt for every method; its length depends on the material. */
export const answerSummary = textTask({
  name: 'answer-summary',
  version: 2,
  sample: {
    question: 'Summarise how the keepers lived at the lighthouse.',
    context:
      'The lighthouse on the western cape was built in 1871. The keeper and his daughter lived there for thirty years.\n\nIn winter no boat could reach them. They kept two goats and a garden behind the wall.',
  },
  replyTokens: () => 250,
  offline: ({ question, context }) => summaryFor(question, context),
  system: [
    (
      input,
    ) => `You write summaries that answer a request. Cover everything that the request asks for, in plain connected sentences: one paragraph, or a few where there is much to say.
${input.context === '' ? 'Answer from what you know.' : 'Use only the context below; its parts may be out of order.'}
Leave out repetition and whatever was not asked. Write in the language of the request, and reply with the summary alone.`,
    contextPart,
  ],
  user: '{{question}}',
  maxTokens: 1024,
})

/** The next turn of a conversation, given the real history (teacher forcing; HLGraphRAG, our wording). */
export const answerTurn = textTask({
  name: 'answer-turn',
  version: 2,
  sample: {
    message: 'And who planned it?',
    history: [
      { speaker: 'user1', text: 'Do you know the lighthouse on Cape Wrath?' },
      { speaker: 'user2', text: 'Yes, it was built in 1828.' },
    ],
    roles: { asks: 'user1', replies: 'user2' },
    context: 'The lighthouse on Cape Wrath was built in 1828. Robert Stevenson planned it.',
  },
  replyTokens: () => 30,
  offline: ({ message, context }) => sentenceFor(message, context),
  system: [
    (
      input,
    ) => `You are ${input.roles.replies} in a conversation with ${input.roles.asks}. Reply to the last message of ${input.roles.asks} with what ${input.roles.replies} says next, in one or two sentences in the language of that message, and write nothing else.
${input.context === '' ? 'You know what was said so far and nothing else' : 'You know what stands in the context below and what was said so far, and nothing else'}: use no information from elsewhere.`,
    contextPart,
    ({ history }) => (history.length > 0 ? `The conversation so far:\n${transcript(history)}` : ''),
  ],
  user: '{{roles.asks}}: {{message}}',
  maxTokens: 256,
})

function transcript(turns: readonly Turn[]) {
  return turns.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n')
}

/** The answer prompts by kind of question, equal for every method; their hashes are in every manifest. */
export const answerTasks = {
  choice: answerChoice,
  answer: answerQuestion,
  summary: answerSummary,
  turn: answerTurn,
} as const satisfies Record<Kind, AnyTask>
