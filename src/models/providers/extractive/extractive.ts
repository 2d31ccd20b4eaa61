import { z } from 'zod'
import { once } from '../../../basics/memoise.ts'
import { ModelError } from '../../../errors.ts'
import { tokenizer, tokenizerNames } from '../../../text/tokens.ts'
import { cannotDo } from '../../calls/connection.ts'
import { callOptions, defineProvider } from '../../provider.ts'
import { openLanguage, type Language } from './language.ts'
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
    const count = (text: string): number => counter.count(text)
    const names = new Set(repliesOf(unopened, count).keys())
    const opened = once(async () => repliesOf(await openLanguage(), count))
    return {
      name: 'extractive',
      model: 'extractive',
      parameters: { version: VERSION, tokenizer: counter.name },
      can: (task) => names.has(task),
      async ready() {
        await opened()
      },
      async complete({ task, input, standIn }, signal) {
        signal.throwIfAborted()
        const reply = (await opened()).get(task) ?? standIn
        if (!reply) throw new ModelError('refused', cannotDo('extractive', task))
        return { text: reply(input), finish: 'stop' }
      },
    }
  },
})

/** Stands for the language where only the names of tasks are asked for. */
const unopened: Language = {
  read: () => {
    throw new Error('the language is not opened')
  },
  line: () => {
    throw new Error('the language is not opened')
  },
}

/** Raised with every change of a reply: it is a part of the cache key. */
const VERSION = 3
