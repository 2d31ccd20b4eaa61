import { InterruptableStoppingCriteria, Tensor } from '@huggingface/transformers'
import { z } from 'zod'
import { ModelError } from '../../../errors.ts'
import { answerChoice, answerQuestion } from '../../../tasks/answers.ts'
import { messagesOf, replyLimit } from '../../calls/requests.ts'
import type { CompletionRequest, Provider } from '../../provider.ts'
import type { Loaded } from './load.ts'
import type { TransformersOptions } from './options.ts'

/** Replies word by word, the likeliest each time: the same for every sample. */
export function completer(loaded: Loaded, options: TransformersOptions): NonNullable<Provider['complete']> {
  const { job, model, tokenizer, window } = loaded
  return async (request, signal) => {
    const prompt = promptIds(loaded, options, request)
    // a decoder alone goes on in the same window, an encoder reads the prompt only
    const room = job === 'text-generation' ? window - prompt.length : Infinity
    if (prompt.length > window || room < 1)
      throw new ModelError(
        'window',
        `${request.task}: the prompt has ${prompt.length} tokens, but ${options.model} reads at most ${window}`,
      )
    const maxTokens = Math.min(room, replyLimit(request, options.maxTokens))
    const output = await generate(model, prompt, maxTokens, signal)
    const reply = output.slice(job === 'text-generation' ? prompt.length : 1)
    const ended = reply.length < maxTokens || tokenizer.all_special_ids.includes(reply.at(-1) ?? -1)
    return {
      text: reply.length === 0 ? '' : tokenizer.decode(reply, { skip_special_tokens: true }),
      finish: ended ? 'stop' : 'length',
      promptTokens: prompt.length,
      completionTokens: reply.length,
    }
  }
}

function promptIds(
  { tokenizer }: Loaded,
  { format }: TransformersOptions,
  request: CompletionRequest,
): readonly number[] {
  const asked = format === 'unifiedqa' ? unifiedqaInput(request) : undefined
  if (asked !== undefined) return tokenizer.encode(asked)
  const messages = messagesOf(request)
  if (!tokenizer.chat_template) return tokenizer.encode(messages.map(({ content }) => content).join('\n\n'))
  const text = tokenizer.apply_chat_template([...messages], { tokenize: false, add_generation_prompt: true })
  return tokenizer.encode(text, { add_special_tokens: false })
}

async function generate(model: Loaded['model'], prompt: readonly number[], maxTokens: number, signal: AbortSignal) {
  const stop = new InterruptableStoppingCriteria()
  const interrupt = () => stop.interrupt()
  const tensor = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
  signal.throwIfAborted()
  signal.addEventListener('abort', interrupt)
  try {
    const output = await model.generate({
      input_ids: tensor(prompt),
      attention_mask: tensor(prompt.map(() => 1)),
      max_new_tokens: maxTokens,
      do_sample: false,
      stopping_criteria: stop,
    })
    signal.throwIfAborted()
    return Array.from((output as Tensor).data as BigInt64Array, Number)
  } finally {
    signal.removeEventListener('abort', interrupt)
  }
}

const asked = z.object({ question: z.string(), context: z.string() })
const askedWithOptions = asked.extend({ options: z.array(z.string()) })

/** UnifiedQA's separator: a backslash and an n, not a line break. */
const separator = String.raw` \n `

/**
 * A question as UnifiedQA was trained on it (Khashabi et al. 2020, section 3.2): lower-cased, `question \n (a) one (b)
 * two \n context` for a choice and `question \n context` for a free answer. Undefined for a task that is neither.
 */
export function unifiedqaInput({ task, input }: Pick<CompletionRequest, 'task' | 'input'>): string | undefined {
  switch (task) {
    case answerChoice.name: {
      const { question, options, context } = askedWithOptions.parse(input)
      return joined([question, options.map((option, index) => `(${letter(index)}) ${option}`).join(' '), context])
    }
    case answerQuestion.name: {
      const { question, context } = asked.parse(input)
      return joined([question, context])
    }
    default:
      return undefined
  }
}

const letter = (index: number): string => String.fromCharCode('a'.charCodeAt(0) + index)

/** Without what is empty: a closed book has no context. */
const joined = (parts: readonly string[]): string =>
  parts
    .map((part) => part.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter((part) => part !== '')
    .join(separator)
