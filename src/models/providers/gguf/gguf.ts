import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import pLimit from 'p-limit'
import { z } from 'zod'
import { beginningOf } from '../../../basics/files.ts'
import { loadOptional } from '../../../basics/loading.ts'
import { memoise, once } from '../../../basics/memoise.ts'
import { fileOption } from '../../../define.ts'
import { UserError, ModelError, messageOf } from '../../../errors.ts'
import type { Message } from '../../../types.ts'
import {
  messagesOf,
  maxTokensOption,
  replyLimit,
  usualReply,
  defineProvider,
  lazyResource,
  optionPlace,
  type Completion,
  type CompletionRequest,
  type Provider,
} from '../../provider.ts'

/** Language models in GGUF files on this computer's processor, by llama.cpp. */
export const gguf = defineProvider({
  name: 'gguf',
  summary: 'A language model in a GGUF file, run on this computer; needs the package node-llama-cpp.',
  can: ['complete'],
  options: z.strictObject({
    path: fileOption(z.string().min(1).describe('The GGUF file, relative to the config file.')),
    threads: z.int().min(1).max(256).default(2).describe('Number of threads per call.'),
    contextSize: z
      .int()
      .min(64)
      .default(4096)
      .describe('Largest number of tokens of prompt and reply together; longer calls fail.'),
    temperature: z
      .number()
      .min(0)
      .max(2)
      .default(0)
      .describe('Sampling temperature; 0 always takes the most likely token.'),
    maxTokens: maxTokensOption,
  }),
  // calls run one after the other
  concurrency: 1,
  async open({ path, threads, contextSize, temperature, maxTokens }, { place }) {
    const file = statSync(path, { throwIfNoEntry: false })
    const remedy = `set ${optionPlace('path', place)} to a GGUF file`
    if (!file?.isFile()) throw new UserError(`gguf: no such file ${resolve(path)}; ${remedy}`)
    if ((await beginningOf(path, 4)) !== 'GGUF')
      throw new UserError(`gguf: ${resolve(path)} is not a GGUF file; ${remedy}`)
    const library = await loadLlama()
    const { load, close } = lazyResource(
      () => openLlama(library, path, contextSize, threads),
      ({ llama }) => llama.dispose(),
    )
    const ready = once(async () => completer(library, await load(), { temperature, maxTokens }))
    return {
      name: 'gguf',
      model: basename(path),
      parameters: { bytes: file.size, contextSize, temperature, seed, maxTokens: maxTokens ?? usualReply },
      ...(maxTokens !== undefined && { maxTokens }),
      complete: async (request, signal) => (await ready())(request, signal),
      load,
      close,
    }
  },
})

/** Plus the number of the repeat; no effect at temperature 0. */
const seed = 42

interface Sampling {
  readonly temperature: number
  readonly maxTokens: number | undefined
}

/** Completes one request after the other, each with an empty history: replies are independent. */
export function completer(
  library: Pick<LlamaLibrary, 'LlamaChatSession'>,
  handle: OpenedLlama,
  sampling: Sampling,
): NonNullable<Provider['complete']> {
  const { context } = handle
  const sequence = context.getSequence()
  /** The grammar of a schema, memoised; absent if the library cannot make it. */
  const grammarOf = memoise(async (schema: string): Promise<{ readonly grammar?: object }> => {
    try {
      return { grammar: await handle.llama.createGrammarForJsonSchema(JSON.parse(schema) as object) }
    } catch {
      return {}
    }
  })
  const queue = pLimit(1)

  async function complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    signal.throwIfAborted()
    await sequence.clearHistory()
    const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter
    // a grammar takes untyped values for texts
    const schema = request.strict === 'no' ? undefined : request.schema
    const session = new library.LlamaChatSession({ contextSequence: sequence })
    try {
      const messages = messagesOf(request)
      const room = roomAfter(session, handle, messages)
      if (room < 1)
        throw new ModelError(
          'window',
          `${request.task}: the prompt leaves no room for a reply in contextSize (${context.contextSize}) of the model`,
        )
      const last = messages.at(-1)
      if (!last) throw new Error(`the task "${request.task}" has an empty prompt`)
      session.setChatHistory(messages.slice(0, -1).map(chatItem))
      const { responseText, stopReason } = await session.promptWithMeta(last.content, {
        signal,
        maxTokens: Math.min(room, replyLimit(request, sampling.maxTokens)),
        temperature: request.prompt.sampling?.temperature ?? sampling.temperature,
        seed: seed + request.sample + (request.prompt.sampling?.variant ?? 0),
        // the library's default penalises words of the context
        repeatPenalty: false,
        // the library has no other name for a choice
        ...(schema && (await grammarOf(JSON.stringify(schema).replaceAll('"anyOf":', '"oneOf":')))),
      })
      return {
        text: responseText,
        finish: stopReason === 'maxTokens' ? 'length' : 'stop',
        promptTokens: sequence.tokenMeter.usedInputTokens - usedInputTokens,
        completionTokens: sequence.tokenMeter.usedOutputTokens - usedOutputTokens,
      }
    } finally {
      session.dispose({ disposeSequence: false })
    }
  }
  return (request, signal) => queue(() => complete(request, signal))
}

/** Tokens that the library reserves. */
const spare = 1

const chatItem = ({ role, content }: Message): ChatItem =>
  role === 'assistant' ? { type: 'model', response: [content] } : { type: role, text: content }

/** Tokens left for the reply. In a full context the library silently drops the beginning of the prompt. */
function roomAfter(
  { chatWrapper }: ChatSession,
  { model, context }: OpenedLlama,
  messages: readonly Message[],
): number {
  const chatHistory = [...messages.map(chatItem), chatItem({ role: 'assistant', content: '' })]
  const prompt = chatWrapper.generateContextState({ chatHistory }).contextText.tokenize(model.tokenizer)
  return context.contextSize - prompt.length - spare
}

/** The part of node-llama-cpp in use; importing its types would make it a dependency. */
export interface LlamaLibrary {
  getLlama(options: { gpu: false; build: 'never'; logLevel: 'error' }): Promise<Llama>
  readonly LlamaChatSession: new (options: { contextSequence: Sequence }) => ChatSession
}

interface Llama {
  loadModel(options: { modelPath: string }): Promise<Model>
  createGrammarForJsonSchema(schema: object): Promise<object>
  /** Frees models and contexts too. */
  dispose(): Promise<void>
}

interface Model {
  readonly tokenizer: unknown
  createContext(options: { contextSize: number; threads: number; sequences: 1 }): Promise<Context>
}

/** A context with room for conversations. */
interface Context {
  readonly contextSize: number
  getSequence(): Sequence
}

/** One conversation in memory. */
interface Sequence {
  readonly tokenMeter: { readonly usedInputTokens: number; readonly usedOutputTokens: number }
  clearHistory(): Promise<void>
}

export type ChatItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] }

export interface ChatSession {
  readonly chatWrapper: {
    generateContextState(options: { chatHistory: readonly ChatItem[] }): {
      contextText: { tokenize(tokenizer: unknown): readonly number[] }
    }
  }
  setChatHistory(items: readonly ChatItem[]): void
  promptWithMeta(prompt: string, options: object): Promise<{ responseText: string; stopReason: string }>
  dispose(options: { disposeSequence: false }): void
}

/** Loads node-llama-cpp; throws UserError with the command that installs it. */
export const loadLlama = async (name?: string): Promise<LlamaLibrary> =>
  (await loadOptional({ kind: 'gguf', package: 'node-llama-cpp', version: '3.22.1' }, name)) as LlamaLibrary

/** A GGUF model in memory, with a context for one conversation. */
export interface OpenedLlama {
  readonly llama: Pick<Llama, 'createGrammarForJsonSchema' | 'dispose'>
  readonly model: Pick<Model, 'tokenizer'>
  readonly context: Context
}

/** Opens a GGUF file on `threads` threads; throws UserError if it is not a model. */
export async function openLlama(
  library: Pick<LlamaLibrary, 'getLlama'>,
  path: string,
  contextSize: number,
  threads: number,
): Promise<OpenedLlama> {
  // by default it may look for a compiler, and without `threads` a context hung on two cores
  const llama = await library.getLlama({ gpu: false, build: 'never', logLevel: 'error' })
  try {
    const model = await llama.loadModel({ modelPath: path })
    const context = await model.createContext({ contextSize, threads, sequences: 1 })
    return { llama, model, context }
  } catch (error) {
    await llama.dispose()
    throw new UserError(`gguf: cannot open ${path}: ${messageOf(error)}`, { cause: error })
  }
}
