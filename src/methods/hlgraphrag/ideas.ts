import { ModelError } from '../../errors.ts'
import { splitIdeas } from '../../tasks/hlgraphrag.ts'
import type { Models } from '../../types.ts'
import { attempt, lossOf } from '../shared/attempt.ts'

/** The main ideas of a message; the message itself where a model gives none. */
export async function ideasOf(
  message: string,
  most: number,
  models: Models,
): Promise<{ readonly ideas: readonly string[]; readonly fallback?: string }> {
  const reply = await attempt(models, splitIdeas, { message, most })
  if (reply instanceof ModelError)
    return { ideas: [message], fallback: `the message as its only idea: the reply ${lossOf(reply)}` }
  const ideas = [...new Set(reply.map((idea) => idea.trim()).filter((idea) => idea !== ''))].slice(0, most)
  return ideas.length > 0 ? { ideas } : { ideas: [message], fallback: 'the message as its only idea: none was named' }
}
