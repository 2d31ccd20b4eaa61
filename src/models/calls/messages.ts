import type { Message } from '../../types.ts'
import type { CompletionRequest } from '../provider.ts'

/** What a chat model is sent: the prompt, and for a repair question the bad reply and what is wrong with it. */
export function messagesOf({ prompt, repair }: CompletionRequest): readonly Message[] {
  if (!repair) return prompt.messages
  return [
    ...prompt.messages,
    // some servers refuse an empty message
    { role: 'assistant', content: repair.reply.trim() === '' ? '(empty)' : repair.reply },
    {
      role: 'user',
      content: `That reply cannot be used: ${repair.error}\nReply again in the form asked for, and write nothing else.`,
    },
  ]
}
