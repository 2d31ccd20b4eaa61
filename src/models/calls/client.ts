import { once } from '../../basics/memoise.ts'
import { hashOf } from '../../text/hash.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import type { AnyTask } from '../../types.ts'
import type { SingleFlight } from '../cache/single-flight.ts'
import type { CallOptions, Completion, Embeddings, Provider } from '../provider.ts'
import { limit, retry } from './retry.ts'
import type { CallTokens, Spending } from './spending.ts'

/** A provider behind everything that wraps a call. */
export interface ModelClient<P extends Provider = Provider> {
  readonly provider: P
  /** Calls that are worked on at the same time: what computes on this computer is timed by what it is at work. */
  readonly atOnce: number
  readonly tokenizer: Tokenizer
  /** The calls of this run, of all models. */
  readonly calls: SingleFlight
  /** Hash of all that changes the provider's replies: a part of every cache key. */
  readonly identity: string
  /** Makes a call that needs at most the tokens of `most`; `read` gives its result with the tokens that it used. */
  request<T extends Completion | Embeddings, R extends CallTokens>(
    most: () => CallTokens,
    attempt: (signal: AbortSignal) => Promise<T>,
    read: (reply: T) => R,
  ): Promise<{ readonly result: R; readonly milliseconds: number }>
  /** Makes a call that is not to take long, before all others; the attempt gives the tokens that it used. */
  probe(most: CallTokens, attempt: (signal: AbortSignal) => Promise<CallTokens>): Promise<unknown>
  /** Tells the user something about the server; of several lines the first is shown. */
  warn(line: string): void
}

interface ClientContext extends Pick<ModelClient, 'tokenizer' | 'calls'> {
  /** Ends everything that is under way. */
  readonly signal: AbortSignal
  /** Refuses the calls of a provider that was found unusable. */
  readonly guard?: (provider: Provider) => <T>(call: (throwIfEnded: () => void) => Promise<T>) => Promise<T>
  /** What the calls may spend; no limit where it is absent. */
  readonly spending?: Spending | undefined
  readonly warn?: ((line: string) => void) | undefined
}

/** A probe is repeated once, and a minute is enough. */
const probeLimits = { retries: 1, timeoutSeconds: 60 }

/**
 * The only place that wraps a provider: a call is paid for, waits until the model is loaded and has a place for it, is
 * repeated after a temporary failure, and timed. A model that cannot be used ends the run (`guard`).
 */
export function modelClient(
  provider: Provider,
  { concurrency, retries, timeoutSeconds, price }: CallOptions,
  { tokenizer, calls, signal, guard, spending, warn }: ClientContext,
): ModelClient {
  const { name, baseUrl, model, parameters } = provider
  const pay = spending?.payer(price) ?? ((_most, call) => call())
  const guarded = guard?.(provider) ?? ((call) => call(() => undefined))
  const load = once(async () => provider.load?.())
  const send = limit(concurrency, retry({ retries, timeoutSeconds, signal }))
  const sendProbe = retry({
    retries: Math.min(probeLimits.retries, retries),
    timeoutSeconds: Math.min(probeLimits.timeoutSeconds, timeoutSeconds),
    signal,
  })
  // calls to this computer wait for each other; each call to a server has its own time
  const shared = baseUrl === undefined ? workClock() : undefined
  let hasWarned = false
  return {
    provider,
    atOnce: baseUrl === undefined ? 1 : concurrency,
    tokenizer,
    calls,
    identity: hashOf({ name, baseUrl, model, parameters }),
    request: (most, attempt, read) =>
      pay(
        most,
        () =>
          guarded(async (throwIfEnded) => {
            await load()
            const { value, milliseconds } = await send((ended) => {
              throwIfEnded()
              return (shared ?? workClock())(() => attempt(ended))
            })
            const taken = 'vectors' in value ? (value.milliseconds ?? milliseconds) : milliseconds
            return { result: read(value), milliseconds: Math.round(taken * 100) / 100 }
          }),
        ({ result }) => result,
      ),
    probe: (most, attempt) =>
      pay(
        () => most,
        () => sendProbe(attempt),
        (used) => used,
      ),
    warn(line) {
      if (!hasWarned) warn?.(line)
      hasWarned = true
    },
  }
}

type Ability = 'complete' | 'embed' | 'embedTokens' | 'rerank'

/** A provider that has an ability. */
export type Able<A extends Ability> = Provider & Required<Pick<Provider, A>>

export const isAble = <A extends Ability>(client: ModelClient, ability: A): client is ModelClient<Able<A>> =>
  client.provider[ability] !== undefined

/** What was computed, and its share of the time that the model was at work. */
export interface Computed<T> {
  readonly value: T
  readonly milliseconds: number
}

export type WorkClock = <T>(work: () => Promise<T>) => Promise<Computed<T>>

/** Times what a model computes: of what is under way at once, each takes the time since the last one ended. */
export function workClock(): WorkClock {
  let ended = -Infinity
  return async (work) => {
    const begun = performance.now()
    const value = await work()
    const now = performance.now()
    const milliseconds = now - Math.max(begun, ended)
    ended = now
    return { value, milliseconds }
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
