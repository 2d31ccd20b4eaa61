import { z } from 'zod'
import { ModelError } from '../../../errors.ts'
import { tokenizer, tokenizerNames } from '../../../text/tokens.ts'
import { cannotDo } from '../../calls/connection.ts'
import { callOptions, defineProvider } from '../../provider.ts'
import { openLanguage } from './language.ts'
import { repliesOf } from './replies.ts'

/** Classical language processing instead of a language model: no key, no network, the same reply always. */
export const extractive = defineProvider({
  name: 'extractive',
  summary:
    'Not a language model: picks words and sentences of the context by word overlap and grammar rules; without a context, the longest option. Offline, free, deterministic.',
  can: ['complete'],
  offline: true,
  options: z.strictObject({
    tokenizer: z
      .enum(tokenizerNames)
      .nullable()
      .default(null)
      .describe('Tokenizer that measures the length of summaries; null: the one of the run.'),
    ...callOptions,
  }),
  async open(options, { tokenizer: ofRun = tokenizer('o200k_base') }) {
    const counter = options.tokenizer === null ? ofRun : tokenizer(options.tokenizer)
    const replies = repliesOf(await openLanguage(), (text) => counter.count(text))
    return {
      name: 'extractive',
      model: 'extractive',
      parameters: { version: VERSION, tokenizer: counter.name },
      can: (task) => replies.has(task),
      async complete({ task, input, standIn }, signal) {
        signal.throwIfAborted()
        const reply = replies.get(task) ?? standIn
        if (!reply) throw new ModelError('refused', cannotDo('extractive', task))
        return { text: await reply(input), finish: 'stop' }
      },
    }
  },
})

/** Raised with every change of a reply: it is a part of the cache key. */
const VERSION = 3
