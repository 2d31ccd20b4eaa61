import type { ZodType } from 'zod'

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** A config's messages for a task; `{{field}}` is a field of the task's input. */
export type PromptTemplate = readonly Message[]

/** By task name. */
export type PromptTemplates = Readonly<Record<string, PromptTemplate>>

/**
 * `maxTokens`: tokens of the reply; models configured for longer replies may use more, unless the task is `capped`.
 * `sampling` replaces the model's temperature, where it has one.
 */
export interface Prompt {
  readonly messages: readonly Message[]
  readonly maxTokens?: number
  readonly sampling?: Sampling
}

/** `variant` is added to the model's seed, so that equal prompts may have different replies. */
export interface Sampling {
  readonly temperature: number
  readonly variant: number
}

/**
 * A prompt with its output schema. `text` replies are used as they are, `json` is parsed leniently: invalid or
 * truncated list items are dropped and counted, unless `whole`. `capped`: the prompt's `maxTokens` limits the reply,
 * reasoning included, also of models configured for longer ones.
 */
export interface Task<I, T> {
  readonly name: string
  readonly version: number
  readonly reply: 'text' | 'json'
  readonly whole?: true
  readonly capped?: true
  prompt(input: I): Prompt
  readonly output: ZodType<T>
  /** Splits the input in two, for a truncated reply; undefined where impossible. */
  halves?(input: I): readonly [I, I] | undefined
  /** Merges the values of two halves; required with `halves`. */
  joined?(first: NoInfer<T>, second: NoInfer<T>): NoInfer<T>
  /**
   * Parses a reply in another format than JSON, with the number of skipped items, or an error; undefined to parse it as
   * JSON.
   */
  readsAlso?(reply: string): { readonly value: T; readonly skipped: number } | { readonly error: string } | undefined
  /**
   * The deterministic, rule-based reply of the offline provider: a text, or a JSON value. Offline runs of tasks without
   * it are rejected. Changes raise `version`; for built-in tasks the version of the provider. `count`: tokens of a
   * text.
   */
  offline?(input: I, count: (text: string) => number): unknown
  /** Typical reply tokens, without reasoning, for `gembench plan`; default: those of the offline reply. */
  replyTokens?(input: I): number
}

/** A task of any input and output. */
export type AnyTask = Omit<Task<never, unknown>, 'halves' | 'joined'>

/**
 * The only access to language models and embedders. Valid while the function that received it runs: the run waits for
 * calls begun by then, later ones throw Error.
 */
export interface Models {
  /** Prompts, parses, repairs once, validates. Throws ModelError when that fails. */
  run<I, T>(task: Task<I, T>, input: I): Promise<T>
  /** One unit vector per text, in order, all of one length. Throws ModelError on a failed call or invalid vector. */
  embed(texts: readonly string[], role?: EmbedRole): Promise<readonly Float32Array[]>
  /** Last-layer vectors of the text's tokens, special tokens included. */
  embedTokens(text: string): Promise<readonly Float32Array[]>
  /** The token ids of `embedTokens`. Throws ModelError where the embedder does not support it. */
  tokenIds(text: string): readonly number[]
  /**
   * Relevance of each text to a question, in order; absent without `models.rerank`. Throws ModelError on a failed call,
   * and for missing or non-finite scores.
   */
  readonly rerank?: (question: string, texts: readonly string[]) => Promise<readonly Relevance[]>
  /** Tokens of the run's tokenizer. */
  readonly countTokens: (text: string) => number
  /** How the answering model names options; absent for numbers, as our prompt asks. */
  readonly replies?: RepliesWith
  /**
   * Aborted when the call has failed or the run has ended: stop external work then. Absent where nothing ends a call.
   */
  readonly signal?: AbortSignal
  /** Uniform in [0, 1); seeded by run, corpus, method, repeat and question. */
  random(): number
  /**
   * A constant seed from 0 to 2^32 - 1 for the caller's generator: `usual`, such as that of the paper's code, in the
   * first repeat of a run with the default seed, else derived like `random`.
   */
  seed(usual: number): number
}

/** A score, higher is better, on the model's scale; `unread`: truncated tokens of the pair. */
export interface Relevance {
  readonly score: number
  readonly unread: number
}

/**
 * How a model names an option: by its text, whatever the prompt asks, or by the letter of the config's prompt
 * (`{{options:lettered}}`).
 */
export type RepliesWith = 'option-text' | 'letter'

export type EmbedRole = 'query' | 'document'
