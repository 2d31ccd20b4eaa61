import { addFields } from '../../basics/collections.ts'
import { canonicalJson } from '../../text/hash.ts'
import { ModelError } from '../../errors.ts'
import type { PromptTemplates, Usage } from '../../types.ts'
import { promptTokensOf } from '../calls/complete-with-repair.ts'
import { CallError, retry } from '../calls/retry.ts'
import {
  type Completion,
  type CompletionRequest,
  type Embeddings,
  type OpenContext,
  type Provider,
  type ProviderKind,
} from '../provider.ts'

/** What one try has shown. `yes`: it works; `no`: a run that needs it fails; `but`: it works in another way. */
export interface Finding {
  readonly what: string
  readonly works: 'yes' | 'but' | 'no'
  readonly said: string
}

/** Findings, by whether what was tried works. */
export const yes = (what: string, said: string): Finding => ({ what, works: 'yes', said })
export const but = (what: string, said: string): Finding => ({ what, works: 'but', said })
export const no = (what: string, said: string): Finding => ({ what, works: 'no', said })

export type Options = Readonly<Record<string, unknown>>

/** Calls, and the tokens of these by kind. */
export type TryCosts = Pick<Usage, 'calls' | 'promptTokens' | 'completionTokens' | 'embeddedTokens'>

/** What a call gave, and its seconds; or why it gave nothing. */
export type Outcome<T> = { readonly value: T; readonly seconds: number } | { readonly error: ModelError }

/** Where a model is tried. */
export interface TryContext
  extends Required<Pick<OpenContext, 'cacheFolder' | 'tokenizer'>>, Pick<OpenContext, 'warn'> {
  readonly signal: AbortSignal
  /** Words of the config for tasks. */
  readonly templates?: PromptTemplates
}

export type Bench = ReturnType<typeof benchOf>

/** A model whose options may be changed between two calls. Every call is made once more after a passing failure. */
export function benchOf(
  kind: ProviderKind,
  given: Options,
  { signal, tokenizer, templates = {}, ...context }: TryContext,
) {
  const opened = new Map<string, Promise<Provider>>()
  let changes: Options = {}
  let lost = false
  let spent: TryCosts = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0 }
  const options = (): Options => withChange(given, changes)
  /** Opens the model with the options by now and some others. Throws UserError. */
  const open = (others: Options = {}): Promise<Provider> => {
    const wanted = withChange(options(), others)
    const key = canonicalJson(wanted)
    const provider = opened.get(key) ?? kind.open(wanted, { ...context, tokenizer })
    opened.set(key, provider)
    return provider
  }
  const { timeoutSeconds = 300 } = given as { readonly timeoutSeconds?: number }
  const send = retry({ retries: 1, timeoutSeconds, signal })
  const timed = async <T>(
    call: (signal: AbortSignal) => Promise<T>,
    costsOf: (value: T) => Partial<TryCosts>,
  ): Promise<Outcome<T>> => {
    const started = performance.now()
    try {
      const value = await send(call)
      const seconds = (performance.now() - started) / 1000
      spent = { ...spent, ...addFields({ ...spent }, { calls: 1, ...costsOf(value) }) }
      return { value, seconds }
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      lost ||= error.kind === 'network' || error.kind === 'timeout'
      return { error }
    }
  }
  const tokensOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + tokenizer.count(text), 0)
  return {
    tokenizer,
    templates,
    /** The options by now. */
    options,
    /** Options that the config should have instead; undefined for one that it should not have. */
    changed: (): Options => changes,
    change: (change: Options): void => void (changes = { ...changes, ...change }),
    open,
    async complete(request: CompletionRequest, others?: Options): Promise<Outcome<Completion>> {
      const { complete } = directOf(await open(others))
      if (!complete) throw new Error(`${kind.name} cannot complete`)
      return timed(
        (end) => complete(request, end),
        ({ text, promptTokens, completionTokens }) => ({
          promptTokens: promptTokens ?? promptTokensOf(request, tokenizer),
          completionTokens: completionTokens ?? tokenizer.count(text),
        }),
      )
    },
    async embed(texts: readonly string[], others?: Options): Promise<Outcome<Embeddings>> {
      const { embed } = directOf(await open(others))
      if (!embed) throw new Error(`${kind.name} cannot embed`)
      return timed(
        (end) => embed(texts, 'document', end),
        ({ tokens }) => ({ embeddedTokens: tokens ?? tokensOf(texts) }),
      )
    },
    async rerank(question: string, texts: readonly string[]): Promise<Outcome<Embeddings>> {
      const { rerank } = directOf(await open())
      if (!rerank) throw new Error(`${kind.name} cannot rerank`)
      return timed(
        (end) => rerank(question, texts, end),
        ({ tokens }) => ({ promptTokens: tokens ?? tokensOf(texts) + texts.length * tokenizer.count(question) }),
      )
    },
    /** Whether the server no longer answers at all: nothing more is to be tried. */
    isLost: (): boolean => lost,
    spent: (): TryCosts => spent,
    async close(): Promise<void> {
      for (const provider of await Promise.allSettled(opened.values()))
        if (provider.status === 'fulfilled') await provider.value.close?.()
    },
  }
}

/** A model that collects calls is asked at once. */
const directOf = (provider: Provider): Pick<Provider, 'complete' | 'embed' | 'rerank'> =>
  provider.collects?.direct ?? provider

const withChange = (options: Options, change: Options): Options =>
  Object.fromEntries(Object.entries({ ...options, ...change }).filter(([, value]) => value !== undefined))

/** Options with which a refused call is not refused for the same reason; undefined where there are none. */
export const changeAfter = ({ cause }: ModelError): Options | undefined =>
  cause instanceof CallError ? cause.change : undefined

/** What a failed call is said to be, with what a person can do. */
export const reasonOf = ({ message, cause }: ModelError): string =>
  cause instanceof CallError && cause.remedy !== undefined ? `${message}; ${cause.remedy}` : message

/** The value of an option in a sentence. */
export const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
