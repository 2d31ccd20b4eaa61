import { z, type ZodType } from 'zod'
import { defineTask } from '../define.ts'
import { sampledTask } from './task.ts'
import { sentences } from '../text/sentences.ts'
import type { Prompt, Task } from '../types.ts'

/** Messages of a user's program, passed to the model unchanged. */
export const chat = sampledTask<Prompt, string>({
  name: 'chat',
  version: 1,
  sample: {
    messages: [
      { role: 'system', content: 'You are brief.' },
      { role: 'user', content: 'What is a lighthouse for?' },
    ],
    maxTokens: 50,
  },
  reply: 'text',
  output: z.string(),
  prompt: (input) => input,
  offline: beginning,
})

/** The same with a JSON reply, optionally by a schema. Offline it is an empty object. */
export const chatJson = (output: ZodType = z.record(z.string(), z.unknown())): Task<Prompt, unknown> =>
  defineTask<Prompt, unknown>({
    name: 'chat-json',
    version: 1,
    reply: 'json',
    whole: true,
    output,
    prompt: (input: Prompt) => input,
    offline: () => ({}),
  })

function beginning({ messages }: Prompt) {
  const text = messages.at(-1)?.content ?? ''
  return text.slice(0, sentences(text)[1]?.end ?? text.length)
}
