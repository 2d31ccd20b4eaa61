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
  /** Repeat of the same call: a part of the cache key, and added to the seed. */
  readonly sample: number
  /** The bad reply and its error, when this is the one repair question. */
  readonly repair?: { readonly reply: string; readonly error: string }
  /** Whether `maxTokens` of the prompt is the most that the reply may have, whatever the model is set to. */
  readonly capped?: true
  /** Tokens that the window leaves for the reply, where they were counted. */
  readonly room?: number
  /** Tokens that the reply may have, where it ended too early before. */
  readonly more?: number
  /** The reply of the task's stand-in, where it has one. Throws ModelError where that throws. */
  readonly standIn?: (count: (text: string) => number) => string
  /** Tokens of a usual reply, where the task declares them. */
  readonly replyTokens?: number
}

/** What a request went without because the server refuses it: the JSON schema of the reply, or the system role. */
export type Fallback = 'schema' | 'system'

/** `promptTokens` and `completionTokens` are absent where the provider cannot tell; our tokenizer counts then. */
export interface Completion {
  readonly text: string
  readonly finish: 'stop' | 'length' | 'filter'
  readonly promptTokens?: number
  readonly completionTokens?: number
  /** Tokens of the prompt that the server had kept; whether its `promptTokens` hold them differs between servers. */
  readonly cachedTokens?: number
  /** Absent where the request was made as it was asked for. */
  readonly fallbacks?: readonly Fallback[]
}

export interface Embeddings {
  /** One vector per text, in order, unit length, 32-bit. */
  readonly vectors: readonly Float32Array[]
  readonly tokens?: number
  /** How long the provider worked on it; absent: all the time that the call took. */
  readonly milliseconds?: number
}

/** An opened model. A failed call throws; `retryable` of the error says whether to try again. */
export interface Provider {
  readonly name: string
  readonly model: string
  readonly baseUrl?: string
  /** What else changes its replies, for the cache key and the manifest: temperature, dtype, prefixes; never a key. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Largest number of tokens in a reply, where the config says one. */
  readonly maxTokens?: number
  /** Longest prompt plus reply, in tokens of the model, where it is known. */
  readonly window?: number
  /** Of an embedder: how many tokens of a text it reads, special ones included; absent where that is not known. */
  readonly readsTokens?: number
  /** Says that it names an option by its text, whatever the prompt asks for. */
  readonly replies?: 'option-text'
  readonly complete?: (request: CompletionRequest, signal: AbortSignal) => Promise<Completion>
  /** Whether it replies with the stand-ins of tasks: it cannot do a task that has none. */
  readonly standsIn?: true
  readonly embed?: (texts: readonly string[], role: EmbedRole, signal: AbortSignal) => Promise<Embeddings>
  /** Of each text two numbers in place of a vector: its score, higher is better, and how many tokens were not read. */
  readonly rerank?: (question: string, texts: readonly string[], signal: AbortSignal) => Promise<Embeddings>
  /** Of the last layer. */
  embedTokens?(text: string, signal: AbortSignal): Promise<Embeddings>
  /** The tokens whose vectors `embedTokens` gives, cut as it cuts them. */
  tokenIds?(text: string): readonly number[]
  /** Tokens of a text before it is cut, special tokens included; absent where only a server can tell. */
  countTokens?(text: string, role: EmbedRole | 'tokens'): number
  /** Texts that one `embed` call takes; the seam cuts longer lists. */
  readonly batch?: number
  /** Loads what is heavy, such as weights, once before the first call. Throws UserError where it cannot. */
  load?(): Promise<unknown>
  /** Of a server: the field of a request that limits the reply, as far as calls have shown which one it takes. */
  tokensField?(): 'max_tokens' | 'max_completion_tokens'
  close?(): Promise<void>
}

/** What a provider loads at its first use: `load` loads it once, `close` frees it where it was loaded. */
export function loadedLate<T>(load: () => Promise<T>, free: (loaded: T) => Promise<unknown>) {
  let loading: Promise<T> | undefined
  return {
    load: (): Promise<T> => (loading ??= load()),
    close: async (): Promise<void> => {
      const [loaded] = await Promise.allSettled(loading ? [loading] : [])
      if (loaded?.status === 'fulfilled') await free(loaded.value)
    },
  }
}

/** A kind of model that a config can name. */
export interface ProviderKind<O = unknown, I = unknown> extends PlugInFields<O, I> {
  readonly can: readonly ('complete' | 'embed' | 'embedTokens' | 'rerank')[]
  /** No language model answers: every table of it carries a footnote that says so. */
  readonly offline?: true
  /** Opens without asking anything; throws UserError for what is missing (a key, a file, a package). */
  open(options: O, context: OpenContext): Promise<Provider>
}

export interface OpenContext {
  /** Where the config names the model, such as `models.complete`; absent outside of a config. */
  readonly place?: string
  /** The variables of the environment that the config names as values of options. */
  readonly variables?: Readonly<Partial<Record<string, string>>>
  /** Where built models may be kept. */
  readonly cacheFolder: string
  /** The run's tokenizer, where there is a run. */
  readonly tokenizer?: Tokenizer
}

/** An option of a model as a person finds it in the config, for messages. */
export const optionNamed = (name: string, place: OpenContext['place']): string =>
  place === undefined ? `${name} of the model` : `${place}.${name}`

const dollars = (what: string, whose: string) =>
  z.number().min(0).default(0).describe(`Price per million ${what} tokens; must be given for ${whose}.`)

/** The options that every kind of model has besides its own. */
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

/** What every provider's options hold besides its own. */
export type CallOptions = z.output<z.ZodObject<typeof callOptions>>

type WithCallOptions<S extends z.ZodRawShape> = z.ZodObject<z.core.util.Extend<S, typeof callOptions>, z.core.$strict>

/** A kind of model as it is written: `options` are its own, `concurrency` the default of that option. */
type Definition<S extends z.ZodRawShape, O, I> = Omit<ProviderKind<O, I>, 'options'> & {
  readonly options: z.ZodObject<S, z.core.$strict>
  readonly concurrency?: number
}

/** Infers the type of a provider's options, and adds those of every model (`callOptions`). */
export function defineProvider<S extends z.ZodRawShape>({
  concurrency = 8,
  ...kind
}: Definition<S, z.output<WithCallOptions<S>>, z.input<WithCallOptions<S>>>) {
  const { description = '' } = callOptions.concurrency
  const usual = callOptions.concurrency.unwrap().default(concurrency).describe(description)
  return { ...kind, options: kind.options.extend({ ...callOptions, concurrency: usual }) }
}

/** What a chat model is sent: the prompt, and for a repair question the bad reply and what is wrong with it. */
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

/** The option of every kind of model that completes. */
export const maxTokensOption = z
  .int()
  .min(1)
  .optional()
  .describe(
    'Largest number of tokens in a reply, reasoning included, of every task (a task of few tokens may use as many). Absent: what the task needs, and at least 512; a reply that ended there and could not be read is asked for again with four times as many.',
  )

/** Tokens that a reply may have where neither its task nor the config says more; `maxTokens` of parameters then. */
export const usualReply = 512

type Bounds = Pick<CompletionRequest, 'prompt' | 'capped' | 'room' | 'more'>

/** Longest reply in tokens: what the config allows, else what the task needs, within cap and window, at least 512. */
export function replyLimit(
  { prompt: { maxTokens: needed = 0 }, capped, room = Infinity, more }: Bounds,
  configured: number | undefined,
): number {
  const wanted = capped && needed > 0 ? needed : Math.max(needed, configured ?? usualReply)
  return Math.min(more ?? wanted, configured ?? Infinity, room)
}

/** The longest reply that may be asked for where one of `replyLimit` tokens ended too early. */
export function longestReply(bounds: Bounds, { maxTokens: configured }: Pick<Provider, 'maxTokens'>): number {
  const limit = replyLimit(bounds, configured)
  const { capped, prompt, room = Infinity } = bounds
  return capped && prompt.maxTokens ? limit : Math.min(configured ?? 4 * limit, room)
}

/** What tells requests apart in which the limit of the reply differs, beside prompt and parameters. */
export function limitBinds(
  { prompt: { maxTokens: needed = 0 }, capped }: Bounds,
  { maxTokens: configured, parameters }: Pick<Provider, 'maxTokens' | 'parameters'>,
): { readonly capped?: true; readonly bounded?: true } {
  const usual = Number(parameters['maxTokens'] ?? 0)
  return {
    ...(capped && needed > 0 && needed < usual && { capped }),
    ...(configured !== undefined && configured < needed && { bounded: true }),
  }
}

/** Why an embedder cannot give the vectors of single tokens, in one line; undefined where it can. */
export const refusalOfTokens = (provider: Pick<Provider, 'name' | 'embedTokens'>): string | undefined =>
  provider.embedTokens ? undefined : `the provider "${provider.name}" cannot embed single tokens`

/** What to say where a model cannot do a task and the task has no stand-in. */
export const cannotDo = (model: string, task: string): string =>
  `the model "${model}" cannot do the task "${task}": name another model, or give the task an "offline" stand-in`

/** Why a provider cannot do a task, in one line; undefined where it can. */
export const refusalOf = (provider: Pick<Provider, 'name' | 'standsIn'>, task: AnyTask): string | undefined =>
  provider.standsIn && !task.offline ? cannotDo(provider.name, task.name) : undefined
