import { z } from 'zod'
import type { Roles, Turn } from '../../types.ts'
import { sampledTask, twoMessages } from '../task.ts'

/** The last message of a conversation and what was said before it; with an empty context only that can be gone by. */
export interface AnswerTurnInput {
  readonly message: string
  readonly history: readonly Turn[]
  readonly roles: Roles
  readonly context: string
}

/**
 * The next turn of a conversation, one prompt for every method: the persona, the history as it was really said (teacher forcing), and the
 * context, beyond which nothing may be used (HLGraphRAG, "you are X and know Y"; the words are ours).
 */
export const answerTurn = sampledTask<AnswerTurnInput, string>({
  name: 'answer-turn',
  version: 1,
  sample: {
    message: 'And who planned it?',
    history: [
      { speaker: 'user1', text: 'Do you know the lighthouse on Cape Wrath?' },
      { speaker: 'user2', text: 'Yes, it was built in 1828.' },
    ],
    roles: { asks: 'user1', replies: 'user2' },
    context: 'The lighthouse on Cape Wrath was built in 1828. Robert Stevenson planned it.',
  },
  reply: 'text',
  output: z.string().trim().min(1),
  prompt: ({ message, history, roles: { asks, replies }, context }) =>
    twoMessages(
      [
        `You are ${replies} in a conversation with ${asks}. Reply to the last message of ${asks} with what ${replies} says next, in one or two sentences, and write nothing else.
${context === '' ? 'You know what was said so far and nothing else' : 'You know what stands in the context below and what was said so far, and nothing else'}: use no information from elsewhere.`,
        context && `Context:\n${context}`,
        history.length > 0 ? `The conversation so far:\n${spoken(history)}` : '',
      ],
      `${asks}: ${message}`,
      { maxTokens: 256 },
    ),
})

const spoken = (turns: readonly Turn[]): string => turns.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n')
