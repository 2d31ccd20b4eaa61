import type { Message, Prompt, Sampling } from '../types.ts'

/**
 * The layout of every prompt: the system message holds the instructions followed by the material, the user message the thing asked
 * (shared answer prompt: our reading of UnWeaver, appendix E). Parts stand apart by a blank line; empty ones are left out.
 * `demonstration` is a worked pair of asked and replied, shown in between.
 */
export function twoMessages(
  system: readonly string[],
  user: string,
  more: {
    readonly demonstration?: readonly [asked: string, replied: string]
    readonly maxTokens?: number
    readonly sampling?: Sampling
  } = {},
): Prompt {
  const [asked, replied] = more.demonstration ?? []
  const messages: readonly Message[] = [
    { role: 'system', content: system.filter((part) => part !== '').join('\n\n') },
    ...(asked === undefined ? [] : [{ role: 'user', content: asked } as const]),
    ...(replied === undefined ? [] : [{ role: 'assistant', content: replied } as const]),
    { role: 'user', content: user },
  ]
  const { maxTokens, sampling } = more
  return { messages, ...(maxTokens !== undefined && { maxTokens }), ...(sampling && { sampling }) }
}
