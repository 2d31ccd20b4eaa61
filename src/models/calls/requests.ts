import type { Message } from '../../types.ts'
import type { CompletionRequest, Provider } from '../provider.ts'

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

type Bounds = Pick<CompletionRequest, 'prompt' | 'capped' | 'room'>

/**
 * Longest reply in tokens: what the task needs, or what the config allows where that is more, as for models that reason
 * before they reply, unless the task caps its replies; but no more than the window has room for.
 */
export const replyLimit = (
  { prompt: { maxTokens = 0 }, capped, room = Infinity }: Bounds,
  configured: number,
): number => Math.min(capped && maxTokens > 0 ? maxTokens : Math.max(maxTokens, configured), room)

/** What the config allows a reply of a model, in tokens; 0 where it has no such option. */
export const configuredLimit = ({ parameters }: Pick<Provider, 'parameters'>): number =>
  Number(parameters['maxTokens'] ?? 0)

/** Whether a task caps its replies below what the config allows: only then does the request differ. */
export const capBinds = (
  { prompt: { maxTokens = 0 }, capped }: Bounds,
  provider: Pick<Provider, 'parameters'>,
): boolean => capped === true && maxTokens > 0 && maxTokens < configuredLimit(provider)
