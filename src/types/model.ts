import type { ZodType } from 'zod'

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** Messages that a config gives for a task, in which `{{field}}` stands for a field of the task's input. */
export type PromptTemplate = readonly Message[]

/** By the name of the task. */
export type PromptTemplates = Readonly<Record<string, PromptTemplate>>

/**
 * `maxTokens`: what the reply may need; a model set to longer replies may use more, unless the task is `capped`.
 * `sampling`: how it is drawn, in place of the temperature of the model, where that has one.
 */
export interface Prompt {
  readonly messages: readonly Message[]
  readonly maxTokens?: number
  readonly sampling?: Sampling
}

/** `variant` is added to the model's seed: equal prompts of other variants may bring other replies. */
export interface Sampling {
  readonly temperature: number
  readonly variant: number
}

/**
 * What is asked of a language model, as data: `text` replies count as they stand, `json` is read leniently, and items
 * of lists that do not fit or were cut are left out and counted, unless the reply counts only as a `whole`. `capped`:
 * `maxTokens` of the prompt limits the reply, reasoning included, also of a model that is set to longer ones.
 */
export interface Task<I, T> {
  readonly name: string
  readonly version: number
  readonly reply: 'text' | 'json'
  readonly whole?: true
  readonly capped?: true
  prompt(input: I): Prompt
  readonly output: ZodType<T>
  /** Two inputs for half of a list each, for a reply that ended at its limit; undefined where there are none. */
  halves?(input: I): readonly [I, I] | undefined
  /** What the values of two halves are together; needed with `halves`. */
  joined?(first: NoInfer<T>, second: NoInfer<T>): NoInfer<T>
  /**
   * The value of a reply in another form than JSON, with its unreadable items, or why it has none; undefined where the
   * reply is to be read as JSON.
   */
  readsAlso?(reply: string): { readonly value: T; readonly skipped: number } | { readonly error: string } | undefined
  /**
   * The reply of the offline provider, made by rules, always the same: a text, or what the JSON says. Without it such a
   * run is refused. A change of what it gives raises `version`; of tasks in tasks/ the version of the provider.
   * `count` gives the tokens of a text.
   */
  offline?(input: I, count: (text: string) => number): unknown
  /** Tokens of a usual reply to an input, reasoning excluded, for `gembench plan`; absent: those of the stand-in's. */
  replyTokens?(input: I): number
}

/** A task whatever its input and output. */
export type AnyTask = Omit<Task<never, unknown>, 'halves' | 'joined'>

/**
 * The only way to language models and embedders, for the function that is given them and as long as it runs: calls that
 * it has begun are waited for, later ones throw Error.
 */
export interface Models {
  /** Prompt, call, parse, one repair question, typed result. Throws ModelError when that fails. */
  run<I, T>(task: Task<I, T>, input: I): Promise<T>
  /** One unit vector per text, in order; all of one length. Throws ModelError on a failed call or a bad vector. */
  embed(texts: readonly string[], role?: EmbedRole): Promise<readonly Float32Array[]>
  /** One vector per token of the text, special tokens included: of the last layer. */
  embedTokens(text: string): Promise<readonly Float32Array[]>
  /** The tokens whose vectors `embedTokens` gives, as numbers. Throws ModelError where the embedder cannot tell. */
  tokenIds(text: string): readonly number[]
  /**
   * How relevant each text is to a question, in order; absent where the config names no `models.rerank`. Throws
   * ModelError on a failed call, and where a score is missing or not finite.
   */
  readonly rerank?: (question: string, texts: readonly string[]) => Promise<readonly Relevance[]>
  /** Tokens of the run's tokenizer. */
  countTokens(text: string): number
  /** How these tasks' model names an option; absent where it does so by its number, as our prompt asks. */
  readonly replies?: RepliesWith
  /**
   * Of built-in methods: what is kept on disk under this name, a digest of all that it is made of, or else what `make`
   * gives, which is kept from then on. Absent where a run keeps nothing on disk.
   */
  readonly kept?: (<T>(name: string, form: Keepable<T>) => T) | undefined
  /**
   * Raised when the call that has these models has failed, or the run was ended, with the error that is told and what
   * is added to its message at once: what it runs outside this process it ends then. Absent where nothing ends a call.
   */
  readonly signal?: AbortSignal
  /** Uniform in [0, 1); seeded by run, corpus, method, repeat and, where one is asked, question. */
  random(): number
  /**
   * A seed from 0 to 2^32 - 1 for a generator of the caller's own, the same at every call: `usual`, such as that of the
   * paper's code, in the first repeat of a run with the default seed, else it follows what `random` follows.
   */
  seed(usual: number): number
}

/** How something is made, and how it is written and read; `unpack` gives undefined for what does not fit. */
export interface Keepable<T> {
  readonly make: () => T
  readonly pack: (made: T) => Packed
  readonly unpack: (packed: Packed) => T | undefined
}

/** Texts and numbers, as a file of the cache folder holds them. */
export interface Packed {
  readonly texts: readonly string[]
  readonly arrays: readonly (Uint8Array | Uint16Array | Uint32Array)[]
}

/** A score, higher is better, on the scale of its model; `unread`: tokens of the pair that the model does not read. */
export interface Relevance {
  readonly score: number
  readonly unread: number
}

/**
 * What a model replies with to a question with options: the text of one, whatever the prompt asks for, or the letter
 * with which the prompt of a config lists it (`{{options:lettered}}`).
 */
export type RepliesWith = 'option-text' | 'letter'

export type EmbedRole = 'query' | 'document'
