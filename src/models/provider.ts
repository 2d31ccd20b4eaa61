import { z } from 'zod'
import type { Tokenizer } from '../text/tokens.ts'
import type { AnyTask, PlugInFields, EmbedRole, Prompt, Message } from '../types.ts'

/** One call to a language model: the task and its input, and the prompt rendered from them. */
export interface CompletionRequest {
  readonly task: string
  readonly version: number
  readonly input: unknown
  readonly prompt: Prompt
  readonly reply: 'text' | 'json'
  /** JSON schema of the reply, for servers with structured output. */
  readonly schema?: Readonly<Record<string, unknown>>
  /** `typed`: the schema says a type for every value; `closed`: also, its objects have no optional or other field. */
  readonly strict?: 'no' | 'typed' | 'closed'
  /** Repeat of the same call: a part of the cache key, and added to the seed. */
  readonly sample: number
  /** The invalid reply and its error, in a repair request. */
  readonly repair?: { readonly reply: string; readonly error: string }
  /** Whether `maxTokens` of the prompt limits the reply whatever the model's setting. */
  readonly capped?: true
  /** Tokens that the window leaves for the reply, if counted. */
  readonly room?: number
  /** The raised token limit after a reply that ended too early. */
  readonly more?: number
  /** The offline reply of the task, if it has one. Throws ModelError. */
  readonly standIn?: (count: (text: string) => number) => string
  /** Tokens of a typical reply, if the task declares them. */
  readonly replyTokens?: number
}

/** A part of the request that the server refuses: the JSON schema of the reply, or the system role. */
export type Fallback = 'schema' | 'system'

/** `promptTokens` and `completionTokens` are absent if unknown; our tokenizer counts then. */
export interface Completion {
  readonly text: string
  readonly finish: 'stop' | 'length' | 'filter'
  readonly promptTokens?: number
  readonly completionTokens?: number
  /** Prompt tokens cached by the server; some servers include them in `promptTokens`. */
  readonly cachedTokens?: number
  /** Parts that the request was sent without; absent: none. */
  readonly fallbacks?: readonly Fallback[]
}

export interface Embeddings {
  /** One vector per text, in order, unit length, 32-bit. */
  readonly vectors: readonly Float32Array[]
  readonly tokens?: number
  /** Time that the provider worked on it; absent: the duration of the call. */
  readonly milliseconds?: number
}

/** An opened model. A failed call throws; the call is repeated if the error has `retryable: true`. */
export interface Provider {
  readonly name: string
  readonly model: string
  readonly baseUrl?: string
  /** Everything else that changes its replies (temperature, dtype), for cache keys and manifest; never a key. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Largest number of tokens in a reply, if configured. */
  readonly maxTokens?: number
  /** Longest prompt plus reply, in tokens of the model, if known. */
  readonly window?: number
  /** Tokens of a text that an embedder reads, special ones included; absent: unknown. */
  readonly readsTokens?: number
  /** Set if it names an option by its text whatever the prompt requests. */
  readonly replies?: 'option-text'
  readonly complete?: (request: CompletionRequest, signal: AbortSignal) => Promise<Completion>
  /** Set if it replies with the tasks' offline stand-ins: it cannot do a task without one. */
  readonly standsIn?: true
  readonly embed?: (texts: readonly string[], role: EmbedRole, signal: AbortSignal) => Promise<Embeddings>
  /** Two numbers per text in place of a vector: its score, higher is better, and its unread tokens. */
  readonly rerank?: (question: string, texts: readonly string[], signal: AbortSignal) => Promise<Embeddings>
  /** One vector of the last layer per token. */
  embedTokens?(text: string, signal: AbortSignal): Promise<Embeddings>
  /** The ids of the tokens that `embedTokens` embeds, truncated alike. */
  tokenIds?(text: string): readonly number[]
  /** Tokens of a text before truncation, special tokens included; absent if only a server knows. */
  countTokens?(text: string, role: EmbedRole | 'tokens'): number
  /** Most texts of one `embed` call; the client splits longer lists. */
  readonly batch?: number
  /** Loads weights and the like, once before the first call. Throws UserError. */
  load?(): Promise<unknown>
  /** The request field that limits the reply, as far as the server's replies have shown. */
  tokensField?(): 'max_tokens' | 'max_completion_tokens'
  close?(): Promise<void>
}

/** A resource loaded at first use: `load` loads it once, `close` frees it if it was loaded. */
export function lazyResource<T>(load: () => Promise<T>, free: (resource: T) => Promise<unknown>) {
  let loading: Promise<T> | undefined
  return {
    load: (): Promise<T> => (loading ??= load()),
    close: async (): Promise<void> => {
      const [result] = await Promise.allSettled(loading ? [loading] : [])
      if (result?.status === 'fulfilled') await free(result.value)
    },
  }
}

/** A kind of model that a config can name. */
export interface ProviderKind<O = unknown, I = unknown> extends PlugInFields<O, I> {
  readonly can: readonly ('complete' | 'embed' | 'embedTokens' | 'rerank')[]
  /** Set if it is not a language model, for the footnote of tables. */
  readonly offline?: true
  /** Opens without a request; throws UserError for a missing key, file or package. */
  open(options: O, context: OpenContext): Promise<Provider>
}

export interface OpenContext {
  /** The model's key in the config, such as `models.complete`; absent outside of a config. */
  readonly place?: string
  /** Environment variables by the option that the config sets to them. */
  readonly variables?: Readonly<Partial<Record<string, string>>>
  /** Where downloaded models are stored. */
  readonly cacheFolder: string
  /** The run's tokenizer; absent outside of a run. */
  readonly tokenizer?: Tokenizer
}

/** The path of an option in the config, for messages. */
export const optionPlace = (name: string, place: OpenContext['place']): string =>
  place === undefined ? `${name} of the model` : `${place}.${name}`

const dollars = (kind: string, owner: string) =>
  z.number().min(0).default(0).describe(`Price per million ${kind} tokens; must be given for ${owner}.`)

/** The options common to all kinds of models. */
export const callOptions = {
  concurrency: z
    .int()
    .min(1)
    .max(1024)
    .default(8)
    .describe(
      'Number of calls that are made at the same time; 1 is the default where one call uses every core, 64 of minilm.',
    ),
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

/** The parsed common options. */
export type CallOptions = z.output<z.ZodObject<typeof callOptions>>

type WithCallOptions<S extends z.ZodRawShape> = z.ZodObject<z.core.util.Extend<S, typeof callOptions>, z.core.$strict>

/** The definition of a kind of model, without the common options; `concurrency` is the default of that option. */
type Definition<S extends z.ZodRawShape, O, I> = Omit<ProviderKind<O, I>, 'options'> & {
  readonly options: z.ZodObject<S, z.core.$strict>
  readonly concurrency?: number
}

/** Defines a kind of model; infers the type of its options and adds the common ones (`callOptions`). */
export function defineProvider<S extends z.ZodRawShape>({
  concurrency = 8,
  ...kind
}: Definition<S, z.output<WithCallOptions<S>>, z.input<WithCallOptions<S>>>) {
  const { description = '' } = callOptions.concurrency
  const usual = callOptions.concurrency.unwrap().default(concurrency).describe(description)
  return { ...kind, options: kind.options.extend({ ...callOptions, concurrency: usual }) }
}

/** The messages of a request: the prompt, and in a repair request the invalid reply with its error. */
export function messagesOf({ prompt, repair }: CompletionRequest): readonly Message[] {
  if (!repair) return prompt.messages
  return [
    ...prompt.messages,
    // some servers refuse an empty message
    { role: 'assistant', content: repair.reply.trim() === '' ? '(empty)' : repair.reply },
    {
      role: 'user',
      content: `That reply cannot be used: ${repair.error}\nReply again in the form asked for, and write nothing else.`,
    },
  ]
}

/** The option `maxTokens` of kinds that complete. */
export const maxTokensOption = z
  .int()
  .min(1)
  .optional()
  .describe(
    'Largest number of tokens in a reply, reasoning included. Default: what the task needs, at least 512. An unreadable reply that ended at its limit is requested again with four times as many.',
  )

/** Token limit of a reply if neither task nor config sets a higher one. */
export const usualReply = 512

type Bounds = Pick<CompletionRequest, 'prompt' | 'capped' | 'room' | 'more'>

/** Token limit of a reply: the config's, else what the task needs and at least 512, within cap and window. */
export function replyLimit(
  { prompt: { maxTokens: taskLimit = 0 }, capped, room = Infinity, more }: Bounds,
  configuredLimit: number | undefined,
): number {
  const usualLimit = capped && taskLimit > 0 ? taskLimit : Math.max(taskLimit, configuredLimit ?? usualReply)
  return Math.min(more ?? usualLimit, configuredLimit ?? Infinity, room)
}

/** The token limit of a second request, after a reply that ended at `replyLimit`. */
export function longestReply(bounds: Bounds, { maxTokens: configuredLimit }: Pick<Provider, 'maxTokens'>): number {
  const limit = replyLimit(bounds, configuredLimit)
  const { capped, prompt, room = Infinity } = bounds
  return capped && prompt.maxTokens ? limit : Math.min(configuredLimit ?? 4 * limit, room)
}

/** The parts of a cache key for a token limit that changes the reply. */
export function limitBinds(
  { prompt: { maxTokens: taskLimit = 0 }, capped }: Bounds,
  { maxTokens: configuredLimit, parameters }: Pick<Provider, 'maxTokens' | 'parameters'>,
): { readonly capped?: true; readonly bounded?: true } {
  const usual = Number(parameters['maxTokens'] ?? 0)
  return {
    ...(capped && taskLimit > 0 && taskLimit < usual && { capped }),
    ...(configuredLimit !== undefined && configuredLimit < taskLimit && { bounded: true }),
  }
}

/** Why an embedder cannot embed single tokens, in one line; undefined if it can. */
export const refusalOfTokens = (provider: Pick<Provider, 'name' | 'embedTokens'>): string | undefined =>
  provider.embedTokens ? undefined : `the provider "${provider.name}" cannot embed single tokens`

/** The message about a task without an offline stand-in. */
export const cannotDo = (model: string, task: string): string =>
  `the model "${model}" cannot do the task "${task}": name another model, or give the task an "offline" stand-in`

/** Why a provider cannot do a task, in one line; undefined if it can. */
export const refusalOf = (provider: Pick<Provider, 'name' | 'standsIn'>, task: AnyTask): string | undefined =>
  provider.standsIn && !task.offline ? cannotDo(provider.name, task.name) : undefined
