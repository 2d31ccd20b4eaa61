import type { Prompt } from '../types.ts'

/** Longest reply in tokens: what the task needs, or what the config allows where that is more, as for models that reason before they reply. */
export const replyLimit = ({ maxTokens = 0 }: Prompt, configured: number): number => Math.max(maxTokens, configured)
