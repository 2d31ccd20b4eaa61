import { z } from 'zod'
import { ModelError } from '../../errors.ts'
import { tokenizer } from '../../text/tokens.ts'
import { cannotDo, defineProvider } from '../provider.ts'

/** Replies with each task's `offline` stand-in: no key, no network, deterministic. */
export const extractive = defineProvider({
  name: 'extractive',
  summary:
    'A rule-based stand-in, not a language model: sentences, names and numbers picked by word overlap; without a context, the longest option. Offline, free, deterministic.',
  can: ['complete'],
  offline: true,
  options: z.strictObject({}),
  async open(_options, { tokenizer: counter = tokenizer('o200k_base') }) {
    return {
      name: 'extractive',
      model: 'extractive',
      parameters: { version, tokenizer: counter.name },
      standsIn: true,
      async complete({ task, standIn }, signal) {
        signal.throwIfAborted()
        if (!standIn) throw new ModelError('refused', cannotDo('extractive', task))
        return { text: standIn((text) => counter.count(text)), finish: 'stop' }
      },
    }
  },
})

/** Increment with every change of a stand-in in tasks/: a part of the cache key. */
const version = 5
