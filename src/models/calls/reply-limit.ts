import type { CompletionRequest } from '../provider.ts'

/**
 * Longest reply in tokens: what the task needs, or what the config allows where that is more, as for models that reason before they
 * reply; but no more than the window has room for.
 */
export const replyLimit = (
  { prompt: { maxTokens = 0 }, room = Infinity }: CompletionRequest,
  configured: number,
): number => Math.min(Math.max(maxTokens, configured), room)
