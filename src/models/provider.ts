import { type ZodType, z } from 'zod'
import type { Tokenizer } from '../text/tokens.ts'
import type { EmbedRole, Prompt, RepliesWith } from '../types.ts'

/** One call to a language model: the task and its input, and the prompt rendered from them. */
export interface CompletionRequest {
  readonly task: string
  readonly version: number
  readonly input: unknown
  readonly prompt: Prompt
  readonly reply: 'text' | 'json'
  /** JSON schema of the reply, for servers with structured output. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** Repeat of the same call: a part of the cache key, and added to the seed. */
  readonly sample: number
  /** The bad reply and its error, when this is the one repair question. */
  readonly repair?: { readonly reply: string; readonly error: string }
  /** Whether `maxTokens` of the prompt is the most that the reply may have, whatever the model is set to. */
  readonly capped?: true
  /** Tokens that the window leaves for the reply, where they were counted. */
  readonly room?: number
  /** The reply of the task's own stand-in, where the provider cannot do the task. Throws ModelError where the stand-in throws. */
  readonly standIn?: () => string | Promise<string>
}

/** `promptTokens` and `completionTokens` are absent when the provider cannot tell; they are then counted by our tokenizer. */
export interface Completion {
  readonly text: string
  readonly finish: 'stop' | 'length' | 'filter'
  readonly promptTokens?: number
  readonly completionTokens?: number
}

export interface Embeddings {
  /** One vector per text, in order, unit length, 32-bit. */
  readonly vectors: readonly Float32Array[]
  readonly tokens?: number
}

/** An opened model: a few functions around something outside. A failed call throws; `retryable` says whether to try again. */
export interface Provider {
  readonly name: string
  readonly model: string
  readonly baseUrl?: string
  /** What else changes its replies, for the cache key and the manifest: temperature, dtype, prefixes; never a key. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Longest prompt plus reply, in tokens of the model, where it is known. */
  readonly window?: number
  /** Of an embedder: how many tokens of one text it reads, special tokens included; the rest is cut off. Absent where nothing is cut, or where that is not known. */
  readonly readsTokens?: number
  /** Says that it names an option by its text, whatever the prompt asks for. */
  readonly replies?: RepliesWith
  complete?(request: CompletionRequest, signal: AbortSignal): Promise<Completion>
  /** Whether it can do a task of that name; a provider without this function can do any. Only an offline kind has it. */
  can?(task: string): boolean
  embed?(texts: readonly string[], role: EmbedRole, signal: AbortSignal): Promise<Embeddings>
  /** Of the last layer, or of one from 1 to `layers`. */
  embedTokens?(text: string, signal: AbortSignal, layer?: number): Promise<Embeddings>
  /** The tokens whose vectors `embedTokens` gives, cut as it cuts them. */
  tokenIds?(text: string): readonly number[]
  /** How many layers `embedTokens` can be asked for; the last alone where absent. */
  readonly layers?: number
  /** Tokens of a text before it is cut, prefix and special tokens included; absent where only a server can tell. `tokens`: as `embedTokens` takes it. */
  countTokens?(text: string, role: EmbedRole | 'tokens'): number
  /** Where calls are collected and sent together, which may take long. */
  readonly collects?: Collecting
  /** Texts that one `embed` call takes; the seam cuts longer lists. */
  readonly batch?: number
  close?(): Promise<void>
}

/** How a provider that collects calls is asked: `concurrency` and `timeoutSeconds` of its options do not hold for it. */
interface Collecting {
  /** Calls that may wait at the same time. */
  readonly calls: number
  /** Time limit of one attempt. */
  readonly seconds: number
  /** What a call costs, as a share of the price in the options. */
  readonly priceFactor: number
  /** Asks at once instead: for a try of the model before the first call. */
  readonly direct: Pick<Provider, 'complete' | 'embed'>
}

/** What every provider's options hold besides its own. */
export interface CallOptions {
  readonly concurrency: number
  readonly retries: number
  readonly timeoutSeconds: number
  readonly price?: { readonly prompt: number; readonly completion: number; readonly embedding: number }
}

/** A kind of model that a config can name. */
export interface ProviderKind<O = unknown, I = unknown> {
  readonly name: string
  readonly summary: string
  readonly can: readonly ('complete' | 'embed' | 'embedTokens')[]
  readonly options: ZodType<O, I>
  /**
   * Of an object that stands in the config of `run` itself, where it must be given: another one whenever its results change, since the text of
   * its functions does not tell what they close over.
   */
  readonly version?: number | string
  /** Options that were renamed or removed, each with the rest of the sentence that says so: `{ k0: 'is called "seedCount" now' }`. */
  readonly former?: Readonly<Record<string, string>>
  /** No language model answers: every table of it carries a footnote that says so. */
  readonly offline?: true
  /** Begins what `open` would wait for and other threads do; resolves when only they have something to do. Called before `open`, if at all. */
  begin?(options: O): Promise<void>
  /** Opens without asking anything; throws UserError for what is missing (a key, a file, a package). */
  open(options: O, context: OpenContext): Promise<Provider>
}

export interface OpenContext {
  /** Where the config names the model, such as `models.complete`; absent outside of a config. */
  readonly place?: string
  /** Where built models may be kept. */
  readonly cacheFolder: string
  /** Told, in a line, what a person should know who waits. */
  readonly warn?: ((line: string) => void) | undefined
  /** The run's tokenizer, where there is a run. */
  readonly tokenizer?: Tokenizer
}

/** An option of a model as a person finds it in the config, for messages. */
export const optionNamed = (name: string, place: OpenContext['place']): string =>
  place === undefined ? `${name} of the model` : `${place}.${name}`

/** Infers the type of a provider's options. */
export const defineProvider = <O, I>(kind: ProviderKind<O, I>): ProviderKind<O, I> => kind

const dollars = (what: string, whose: string) =>
  z.number().min(0).default(0).describe(`Price per million ${what} tokens; must be given for ${whose}.`)

/** The options that every kind of model has besides its own; spread it into `z.strictObject({ …, ...callOptions })`. */
export const callOptions = {
  concurrency: z.int().min(1).max(1024).default(8).describe('Number of calls that are made at the same time.'),
  retries: z
    .int()
    .min(0)
    .max(100)
    .default(5)
    .describe('How often a call is repeated after a temporary failure (server busy, broken connection, time-out).'),
  timeoutSeconds: z.number().positive().max(86_400).default(300).describe('Time limit of one attempt, in seconds.'),
  price: z
    .strictObject({
      prompt: dollars('prompt', 'a model that completes'),
      completion: dollars('completion', 'a model that completes'),
      embedding: dollars('embedded', 'a model that embeds'),
    })
    .optional()
    .describe('Prices per million tokens, for the money column; without prices no money is shown.'),
}

/** The options of a kind of model that computes on this computer, besides its own: one call uses every core. */
export const localCallOptions = {
  threads: z.int().min(0).max(256).default(0).describe('Number of threads; 0: one per core.'),
  ...callOptions,
  concurrency: callOptions.concurrency
    .unwrap()
    .default(1)
    .describe('Number of calls that are made at the same time; one call uses every core.'),
}
