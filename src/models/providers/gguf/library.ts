import { messageOf, UserError } from '../../../errors.ts'
import { loadOptional } from '../../../basics/load-optional.ts'

/** What is used of node-llama-cpp, which is not installed with the project: its own types would make it a dependency. */
export interface LlamaLibrary {
  getLlama(options: { gpu: false; build: 'never'; logLevel: 'error' }): Promise<Llama>
  readonly LlamaChatSession: new (options: { contextSequence: Sequence }) => ChatSession
}

export interface Llama {
  loadModel(options: { modelPath: string }): Promise<Model>
  createGrammarForJsonSchema(schema: object): Promise<Grammar>
  /** Frees models and contexts too. */
  dispose(): Promise<void>
}

export interface Model {
  readonly tokenizer: unknown
  createContext(options: { contextSize: number; threads: number; sequences: 1 }): Promise<Context>
}

/** Room for conversations. */
export interface Context {
  readonly contextSize: number
  getSequence(): Sequence
}

/** One conversation, as far as it is in memory. */
export interface Sequence {
  readonly tokenMeter: { readonly usedInputTokens: number; readonly usedOutputTokens: number }
  clearHistory(): Promise<void>
}

/** Rules that a reply cannot break. */
export type Grammar = object

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
  promptWithMeta(prompt: string, options: PromptOptions): Promise<{ responseText: string; stopReason: string }>
  dispose(options: { disposeSequence: false }): void
}

interface PromptOptions {
  readonly signal: AbortSignal
  readonly maxTokens: number
  readonly temperature: number
  readonly seed: number
  readonly repeatPenalty: false
  readonly grammar?: Grammar
}

/** Loads node-llama-cpp; throws UserError with the command that installs it. */
export const loadLlama = async (name?: string): Promise<LlamaLibrary> =>
  (await loadOptional({ kind: 'gguf', package: 'node-llama-cpp', version: '3.22.1' }, name)) as LlamaLibrary

/** A GGUF model in memory, with room for one conversation. */
export interface OpenedLlama {
  readonly library: Pick<LlamaLibrary, 'LlamaChatSession'>
  readonly llama: Pick<Llama, 'createGrammarForJsonSchema' | 'dispose'>
  readonly model: Pick<Model, 'tokenizer'>
  readonly context: Context
}

/** Opens a GGUF file on that many threads of the processor; throws UserError where it is no model. */
export async function openLlama(
  library: LlamaLibrary,
  path: string,
  contextSize: number,
  threads: number,
): Promise<OpenedLlama> {
  // otherwise it may look for a compiler, and without `threads` a context hung on two cores
  const llama = await library.getLlama({ gpu: false, build: 'never', logLevel: 'error' })
  try {
    const model = await llama.loadModel({ modelPath: path })
    const context = await model.createContext({ contextSize, threads, sequences: 1 })
    return { library, llama, model, context }
  } catch (error) {
    await llama.dispose()
    throw new UserError(`gguf: cannot open ${path}: ${messageOf(error)}`, { cause: error })
  }
}
