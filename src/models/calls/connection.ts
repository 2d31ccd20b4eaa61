import { hashOf } from '../../text/hash.ts'
import type { AnyTask } from '../../types.ts'
import type { Completion, Embeddings, Provider } from '../provider.ts'
import type { Send } from './retry.ts'
import { unlimited, type Pay } from './spending.ts'

/** A provider behind its limit and retries. */
export interface Connection<P extends Provider = Provider> {
  readonly provider: P
  readonly send: Send
  /** What a call gave, and its time: a share of the time at work on this computer. */
  readonly timed: <T extends Completion | Embeddings>(call: () => Promise<T>) => Promise<Computed<T>>
  /** Reserves what a call may need before it is sent. */
  readonly pay: Pay
  /** Told what a person should know of the server while the run goes on; of several lines the first is shown. */
  readonly warn: (line: string) => void
  /** Hash of all that changes the provider's replies: a part of every cache key. */
  readonly identity: string
}

type Ability = 'complete' | 'embed' | 'embedTokens' | 'rerank'

/** A provider that has an ability. */
export type Able<A extends Ability> = Provider & Required<Pick<Provider, A>>

export const isAble = <A extends Ability>(connection: Connection, ability: A): connection is Connection<Able<A>> =>
  connection.provider[ability] !== undefined

/** Puts a provider behind the layers that `send` is made of. */
export function connect(
  provider: Provider,
  send: Send,
  pay: Pay = unlimited,
  warn: (line: string) => void = () => undefined,
): Connection {
  const { name, baseUrl, model, parameters } = provider
  let told = false
  const warnOnce = (line: string): void => {
    if (!told) warn(line)
    told = true
  }
  return {
    provider,
    send,
    timed: timing(provider),
    pay,
    warn: warnOnce,
    identity: hashOf({ name, baseUrl, model, parameters }),
  }
}

/** Times calls of a provider, in milliseconds to the hundredth. */
function timing({ baseUrl }: Provider): Connection['timed'] {
  // calls to this computer wait for each other; each call to a server has its own time
  const shared = baseUrl === undefined ? workClock() : undefined
  return async (call) => {
    const { value, milliseconds } = await (shared ?? workClock())(call)
    const taken = 'vectors' in value ? (value.milliseconds ?? milliseconds) : milliseconds
    return { value, milliseconds: Math.round(taken * 100) / 100 }
  }
}

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
