import { z } from 'zod'
import { wordShape } from '../entities/triple.ts'
import { sampledTask, twoMessages } from '../task.ts'

/** A message or question, and how many ideas are wanted at most. */
export interface SplitIdeasInput {
  readonly message: string
  readonly most: number
}

/** The main ideas of a message, each of which is then looked up by itself (HLGraphRAG, decomposition). */
export const splitIdeas = sampledTask<SplitIdeasInput, readonly string[]>({
  name: 'split-ideas',
  version: 1,
  sample: {
    message: 'I liked the lighthouse best. Who planned it, and when was it built?',
    most: 5,
  },
  reply: 'json',
  output: z.array(wordShape),
  prompt: ({ message, most }) =>
    twoMessages(
      [
        `You take a message apart into its main ideas: what one would have to look up to reply to it. Write 1 to ${most} of them, the most important first, each so that it is understood by itself.
Reply with a JSON list and nothing else, for example:
["who built Arden Mill", "the fire of 1920"]`,
      ],
      message,
      { maxTokens: 512 },
    ),
})
