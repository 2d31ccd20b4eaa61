import pLimit from 'p-limit'
import { once } from '../../basics/memoise.ts'
import { ModelError } from '../../errors.ts'
import { hashOf } from '../../text/hash.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import type { EmbedRole, PromptTemplates, Relevance, Task } from '../../types.ts'
import type { CacheEntry, CallResult, Exchange } from '../cache/cache.ts'
import type { Meter, PhaseUsage } from '../meter.ts'
import { limitBinds, refusalOf, refusalOfTokens, type CallOptions, type Provider } from '../provider.ts'
import { askedOf, readExchange, type AskedTask } from './asked-task.ts'
import { askWithRepair } from './ask-with-repair.ts'
import { completeOnce } from './complete-once.ts'
import { embedTexts, embedTokensOf } from './embed-texts.ts'
import { rerankTexts } from './rerank-texts.ts'
import { retry } from './retry.ts'
import type { CallTokens, Spending } from './spending.ts'
import { completionUsage, embeddingUsage, rerankingUsage } from './usage-of-calls.ts'
import { workClock } from './work-clock.ts'
import type { Send, Wrapped } from './wrapped.ts'

/** A provider behind everything that wraps a call. A call that fails throws ModelError. */
export interface ModelClient {
  readonly provider: Provider
  readonly tokenizer: Tokenizer
  /** Calls that are worked on at the same time; on this computer they share the processor, so that it is 1. */
  readonly atOnce: number
  complete<I, T>(task: Task<I, T>, input: I, caller: Caller): Promise<T>
  /** One vector per text, in order. In an index a text that cannot be embedded has a vector of zeros. */
  embed(texts: readonly string[], role: EmbedRole, caller: Caller): Promise<readonly Float32Array[]>
  /** One vector per token of the text; none where an index has a text that cannot be embedded. */
  embedTokens(text: string, caller: Caller): Promise<readonly Float32Array[]>
  rerank(question: string, texts: readonly string[], caller: Caller): Promise<readonly Relevance[]>
  /** Makes a call that is not to take long, before all others; the attempt gives the tokens that it used. */
  probe(most: CallTokens, attempt: (signal: AbortSignal) => Promise<CallTokens>): Promise<unknown>
}

/** For whom a call is made. */
export interface Caller {
  /** Number of the repeat: a part of the cache key of a completion. */
  readonly sample: number
  /** An index does without texts that cannot be embedded; anywhere else they are a failed call. */
  readonly isIndex: boolean
  readonly count: (usage: Partial<PhaseUsage>) => void
  readonly noteUnembedded: Meter['noteUnembedded']
  /** Makes the calls of a task; throws ModelError where the first ones were all in vain. */
  readonly inTurn: <R extends CallResult<CacheEntry>>(task: string, call: () => Promise<R>) => Promise<R>
}

export interface ClientContext extends Pick<Wrapped, 'tokenizer' | 'calls'> {
  /** Prompts in place of those of the tasks. */
  readonly templates?: PromptTemplates | undefined
  /** Ends everything that is under way. */
  readonly signal: AbortSignal
  /** Refuses the calls of a provider that was found unusable. */
  readonly guard?: (provider: Provider) => <T>(call: (throwIfEnded: () => void) => Promise<T>) => Promise<T>
  /** What the calls may spend; no limit where it is absent. */
  readonly spending?: Spending | undefined
  /** Told, once and in a line, what a person should know of a server. */
  readonly warn?: ((line: string) => void) | undefined
}

/** A probe is repeated once, and a minute is enough. */
const probeLimits = { retries: 1, timeoutSeconds: 60 }

/**
 * The only place that wraps a provider. A call is looked up in the cache and shared with equal calls under way; else it
 * is paid for, waits until the model is loaded and has a place for it, is repeated after a temporary failure and timed.
 * A reply that cannot be read is asked for once more. Its usage goes to the caller, also where the call fails.
 */
export function modelClient(
  provider: Provider,
  { concurrency, retries, timeoutSeconds, price }: CallOptions,
  { tokenizer, calls, templates = {}, signal, guard, spending, warn }: ClientContext,
): ModelClient {
  const { name, baseUrl, model, parameters } = provider
  const pay = spending?.payer(price) ?? ((_most, call) => call())
  const guarded = guard?.(provider) ?? ((call) => call(() => undefined))
  const load = once(async () => provider.load?.())
  const places = pLimit(concurrency)
  const repeated = retry({ retries, timeoutSeconds, signal })
  // calls to this computer wait for each other; each call to a server has its own time
  const localClock = baseUrl === undefined ? workClock() : undefined
  const send: Send = (most, attempt, read) =>
    pay(
      most,
      () =>
        guarded(async (throwIfEnded) => {
          await load()
          const timed = (ended: AbortSignal) => {
            throwIfEnded()
            return (localClock ?? workClock())(() => attempt(ended))
          }
          const { value, milliseconds } = await places(() => repeated(timed))
          const taken = 'vectors' in value ? (value.milliseconds ?? milliseconds) : milliseconds
          return { result: read(value), milliseconds: Math.round(taken * 100) / 100 }
        }),
      ({ result }) => result,
    )
  const wrapped: Wrapped = {
    provider,
    tokenizer,
    identity: hashOf({ name, baseUrl, model, parameters }),
    calls,
    send,
  }
  let hasWarned = false
  const warnOnce = (line: string): void => {
    if (!hasWarned) warn?.(line)
    hasWarned = true
  }
  const abilities = {
    complete: provider.complete?.bind(provider),
    embed: provider.embed?.bind(provider),
    embedTokens: provider.embedTokens?.bind(provider),
    rerank: provider.rerank?.bind(provider),
  }

  return {
    provider,
    tokenizer,
    atOnce: baseUrl === undefined ? 1 : concurrency,

    async complete(task, input, caller) {
      const { complete } = abilities
      if (!complete)
        throw refused(caller, `the provider "${name}" cannot complete, which the task "${task.name}" needs`)
      const refusal = refusalOf(provider, task)
      if (refusal !== undefined) throw refused(caller, refusal)
      const prompted = askedOf(task, input, caller.sample, templates)
      const exchange = await countingFailure(caller, () =>
        caller.inTurn(task.name, () =>
          calls.takeOne<Exchange>(keyOf(wrapped, prompted), () =>
            askWithRepair(prompted, (request) => completeOnce(wrapped, complete, request, warnOnce)),
          ),
        ),
      )
      const read = readExchange(prompted, exchange)
      caller.count(completionUsage(exchange, read))
      if (exchange.failure) throw exchange.failure
      // a stored reply fits no more: the schema's refinements changed without its version
      if ('error' in read) throw new ModelError('reply', `${task.name}: ${read.error}`)
      return read.value
    },

    async embed(texts, role, caller) {
      const { embed } = abilities
      if (texts.length === 0) return []
      if (!embed) throw refused(caller, `the provider "${name}" cannot embed`)
      const embedded = await countingFailure(caller, () => embedTexts(wrapped, embed, texts, role))
      caller.count(embeddingUsage(embedded))
      const failures = embedded.flatMap(({ failure }) => failure ?? [])
      const [failure] = failures
      if (!failure) return embedded.flatMap(({ entry }) => entry.vectors)
      countUnembedded(caller, failures)
      const rest = failures.length < texts.length ? embedded : await embedTexts(wrapped, embed, [lengthText], role)
      const [vector] = rest.flatMap(({ entry }) => entry.vectors)
      if (!vector) throw failure
      return embedded.flatMap(({ entry, failure: lost }) => (lost ? new Float32Array(vector.length) : entry.vectors))
    },

    async embedTokens(text, caller) {
      const { embedTokens } = abilities
      if (!embedTokens) throw refused(caller, refusalOfTokens(provider) ?? '')
      const embedded = await countingFailure(caller, () => embedTokensOf(wrapped, embedTokens, text))
      caller.count(embeddingUsage([embedded]))
      if (embedded.failure) countUnembedded(caller, [embedded.failure])
      return embedded.entry.vectors
    },

    async rerank(question, texts, caller) {
      const { rerank } = abilities
      if (texts.length === 0) return []
      if (!rerank) throw refused(caller, `the provider "${name}" cannot rerank`)
      const ranked = await countingFailure(caller, () => rerankTexts(wrapped, rerank, question, texts))
      caller.count(rerankingUsage(ranked))
      return ranked.map(({ entry: { vectors } }) => {
        const [score = NaN, unread = NaN] = vectors[0] ?? []
        return { score, unread }
      })
    },

    probe: (most, attempt) =>
      pay(
        () => most,
        () =>
          retry({
            retries: Math.min(probeLimits.retries, retries),
            timeoutSeconds: Math.min(probeLimits.timeoutSeconds, timeoutSeconds),
            signal,
          })(attempt),
        (used) => used,
      ),
  }
}

/** Embedded for the length of its vector alone. */
const lengthText = 'How long is a vector?'

/** Raised when entries change their form. */
const keyFormat = 1

/** Hashes stand for provider and schema, which many calls share. A limit counts only where it changes the request. */
function keyOf({ identity, provider }: Wrapped, { request, schemaHash: schema }: AskedTask): string {
  const { task, version, prompt, reply, sample } = request
  const limit = limitBinds(request, provider)
  return hashOf({ keyFormat, provider: identity, task, version, prompt, reply, ...limit, schema, sample })
}

async function countingFailure<T>({ count }: Caller, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ModelError) count({ failed: 1 })
    throw error
  }
}

function refused({ count }: Caller, message: string): ModelError {
  count({ failed: 1 })
  return new ModelError('refused', message)
}

/** Counts texts that an index does without. Throws the failure where they are of a question. */
function countUnembedded({ isIndex, count, noteUnembedded }: Caller, failures: readonly ModelError[]): void {
  const [failure] = failures
  if (!isIndex && failure) {
    count({ failed: 1 })
    throw failure
  }
  count({ unembedded: failures.length })
  noteUnembedded(failures.map(({ message }) => message))
}
