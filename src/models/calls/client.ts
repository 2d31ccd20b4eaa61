import pLimit from 'p-limit'
import { once } from '../../basics/memoise.ts'
import { ModelError } from '../../errors.ts'
import { hashOf } from '../../text/hash.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import type { EmbedRole, PromptTemplates, Relevance, Task } from '../../types.ts'
import type { CacheEntry, CallResult, Exchange } from '../cache/cache.ts'
import type { UsageCounter, PhaseUsage } from '../usage-counter.ts'
import { limitBinds, refusalOf, refusalOfTokens, type CallOptions, type Provider } from '../provider.ts'
import { taskCallOf, readExchange, type TaskCall } from './task-call.ts'
import { askWithRepair } from './ask-with-repair.ts'
import { embedTexts, rerankTexts, type EmbeddedCall, type EmbedRequest } from './embed-texts.ts'
import { retry } from './retry.ts'
import type { CallTokens, UsageLimiter } from './usage-limit.ts'
import { completionUsage, embeddingUsage, rerankingUsage } from './usage-of-calls.ts'
import { workClock } from './work-clock.ts'
import type { Send, CallContext } from './call-context.ts'

/** A provider with cache, retries, limits and usage. A failed call throws ModelError. */
export interface ModelClient {
  readonly provider: Provider
  readonly tokenizer: Tokenizer
  complete<I, T>(task: Task<I, T>, input: I, caller: Caller): Promise<T>
  /** One vector per text, in order. In an index a text that cannot be embedded has a vector of zeros. */
  embed(texts: readonly string[], role: EmbedRole, caller: Caller): Promise<readonly Float32Array[]>
  /** One vector per token of the text; empty for a text of an index that cannot be embedded. */
  embedTokens(text: string, caller: Caller): Promise<readonly Float32Array[]>
  rerank(question: string, texts: readonly string[], caller: Caller): Promise<readonly Relevance[]>
  /** Makes a short call before all others. */
  probe(attempt: (signal: AbortSignal) => Promise<unknown>): Promise<unknown>
}

/** The scope that makes a call. */
export interface Caller {
  /** Number of the repeat: a part of the cache key of a completion. */
  readonly sample: number
  /** An index leaves out texts that cannot be embedded; elsewhere such a text fails the call. */
  readonly isIndex: boolean
  readonly count: (usage: Partial<PhaseUsage>) => void
  readonly noteEmbeddingFailures: UsageCounter['noteEmbeddingFailures']
  /** Makes a call of a task; throws ModelError once the circuit breaker of the task is open. */
  readonly inTurn: <R extends CallResult<CacheEntry>>(task: string, call: () => Promise<R>) => Promise<R>
}

export interface ClientContext extends Pick<CallContext, 'tokenizer' | 'calls'> {
  /** Prompts in place of those of the tasks. */
  readonly templates?: PromptTemplates | undefined
  /** Aborts calls in flight. */
  readonly signal: AbortSignal
  /** Refuses calls of an unusable provider. */
  readonly guard?: (provider: Provider) => <T>(call: (throwIfUnusable: () => void) => Promise<T>) => Promise<T>
  /** The budget of the calls; absent: unlimited. */
  readonly usageLimiter?: UsageLimiter | undefined
  /** Receives one line, once, about a server's behaviour. */
  readonly warn?: ((line: string) => void) | undefined
}

/** Limits of a probe, and the tokens that are charged for it. */
const probeLimits = { retries: 1, timeoutSeconds: 60 }
const probeTokens: CallTokens = { promptTokens: 16, completionTokens: 16 }

/**
 * The only place that wraps a provider: cache lookup, sharing of equal calls in flight, budget, loading of the model,
 * concurrency limit, retry, time measurement, one repair of an unreadable reply. The caller counts the usage, of failed
 * calls too.
 */
export function modelClient(
  provider: Provider,
  { concurrency, retries, timeoutSeconds, price }: CallOptions,
  { tokenizer, calls, templates = {}, signal, guard, usageLimiter, warn }: ClientContext,
): ModelClient {
  const { name, baseUrl, model, parameters } = provider
  const pay = usageLimiter?.payer(price) ?? ((_most, call) => call())
  const guardCall = guard?.(provider) ?? ((call) => call(() => undefined))
  const load = once(async () => provider.load?.())
  const places = pLimit(concurrency)
  const withRetries = retry({ retries, timeoutSeconds, signal })
  // local calls wait for each other; a call to a server has its own time
  const localClock = baseUrl === undefined ? workClock() : undefined
  const send: Send = (most, attempt, read) =>
    pay(
      most,
      () =>
        guardCall(async (throwIfUnusable) => {
          await load()
          const timeAttempt = (attemptSignal: AbortSignal) => {
            throwIfUnusable()
            return (localClock ?? workClock())(() => attempt(attemptSignal))
          }
          const { value, milliseconds } = await places(() => withRetries(timeAttempt))
          const duration = 'vectors' in value ? (value.milliseconds ?? milliseconds) : milliseconds
          return { result: read(value), milliseconds: Math.round(duration * 100) / 100 }
        }),
      ({ result }) => result,
    )
  let hasWarned = false
  const context: CallContext = {
    provider,
    tokenizer,
    identity: hashOf({ name, baseUrl, model, parameters }),
    calls,
    send,
    warn(line) {
      if (!hasWarned) warn?.(line)
      hasWarned = true
    },
  }
  /** Counts the texts that an index leaves out; throws the failure of a text of a question. */
  const embedAndCount = async (
    request: EmbedRequest,
    texts: readonly string[],
    role: EmbedRole | 'tokens',
    caller: Caller,
  ): Promise<readonly EmbeddedCall[]> => {
    const embeddings = await countingFailure(caller, () => embedTexts(context, request, texts, role))
    caller.count(embeddingUsage(embeddings))
    const failures = embeddings.flatMap(({ failure }) => failure ?? [])
    const [failure] = failures
    if (!failure) return embeddings
    if (!caller.isIndex) {
      caller.count({ failed: 1 })
      throw failure
    }
    caller.count({ unembedded: failures.length })
    caller.noteEmbeddingFailures(failures.map(({ message }) => message))
    return embeddings
  }

  return {
    provider,
    tokenizer,

    async complete(task, input, caller) {
      const complete = provider.complete?.bind(provider)
      if (!complete)
        throw toRefusal(caller, `the provider "${name}" cannot complete, which the task "${task.name}" needs`)
      const refusal = refusalOf(provider, task)
      if (refusal !== undefined) throw toRefusal(caller, refusal)
      const taskCall = taskCallOf(task, input, caller.sample, templates)
      const exchange = await countingFailure(caller, () =>
        caller.inTurn(task.name, () =>
          calls.takeSingle<Exchange>(keyOf(context, taskCall), () => askWithRepair(context, complete, taskCall)),
        ),
      )
      const read = readExchange(taskCall, exchange)
      caller.count(completionUsage(exchange, read))
      if (exchange.failure) throw exchange.failure
      // a stored reply is invalid if the schema's refinements changed without its version
      if ('error' in read) throw new ModelError('reply', `${task.name}: ${read.error}`)
      return read.value
    },

    async embed(texts, role, caller) {
      const embed = provider.embed?.bind(provider)
      if (texts.length === 0) return []
      if (!embed) throw toRefusal(caller, `the provider "${name}" cannot embed`)
      const request: EmbedRequest = (batch, attemptSignal) => embed(batch, role, attemptSignal)
      const embeddings = await embedAndCount(request, texts, role, caller)
      const failure = embeddings.find((call) => call.failure)?.failure
      if (!failure) return embeddings.flatMap(({ entry }) => entry.vectors)
      const isAnyEmbedded = embeddings.some((call) => !call.failure)
      const rest = isAnyEmbedded ? embeddings : await embedTexts(context, request, [lengthText], role)
      const [vector] = rest.flatMap(({ entry }) => entry.vectors)
      if (!vector) throw failure
      return embeddings.flatMap(({ entry, failure: fault }) =>
        fault ? new Float32Array(vector.length) : entry.vectors,
      )
    },

    async embedTokens(text, caller) {
      const embedTokens = provider.embedTokens?.bind(provider)
      if (!embedTokens) throw toRefusal(caller, refusalOfTokens(provider) ?? '')
      const request: EmbedRequest = (_texts, attemptSignal) => embedTokens(text, attemptSignal)
      const embeddings = await embedAndCount(request, [text], 'tokens', caller)
      return embeddings.flatMap(({ entry }) => entry.vectors)
    },

    async rerank(question, texts, caller) {
      const rerank = provider.rerank?.bind(provider)
      if (texts.length === 0) return []
      if (!rerank) throw toRefusal(caller, `the provider "${name}" cannot rerank`)
      const results = await countingFailure(caller, () => rerankTexts(context, rerank, question, texts))
      caller.count(rerankingUsage(results))
      return results.map(({ entry: { vectors } }) => {
        const [score = NaN, unread = NaN] = vectors[0] ?? []
        return { score, unread }
      })
    },

    probe: (attempt) =>
      pay(
        () => probeTokens,
        () =>
          retry({
            retries: Math.min(probeLimits.retries, retries),
            timeoutSeconds: Math.min(probeLimits.timeoutSeconds, timeoutSeconds),
            signal,
          })(attempt),
        () => probeTokens,
      ),
  }
}

/** A text embedded only to get the length of a vector. */
const lengthText = 'How long is a vector?'

/** Increment when the format of entries changes. */
const keyFormat = 1

/** Contains hashes of provider and schema. The token limit is included only if it changes the request. */
function keyOf({ identity, provider }: CallContext, { request, schemaHash: schema }: TaskCall): string {
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

function toRefusal({ count }: Caller, message: string): ModelError {
  count({ failed: 1 })
  return new ModelError('refused', message)
}
