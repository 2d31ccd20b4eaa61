import { hashOf } from '../../text/hash.ts'
import type { Provider } from '../provider.ts'
import type { Send } from './retry.ts'
import { unlimited, type Pay } from './spending.ts'

/** A provider behind its limit and retries. */
export interface Connection<P extends Provider = Provider> {
  readonly provider: P
  readonly send: Send
  /** Reserves what a call may need before it is sent. */
  readonly pay: Pay
  /** Hash of all that changes the provider's replies: a part of every cache key. */
  readonly identity: string
}

export type Ability = 'complete' | 'embed' | 'embedTokens'

/** A provider that has an ability. */
export type Able<A extends Ability> = Provider & Required<Pick<Provider, A>>

export const isAble = <A extends Ability>(connection: Connection, ability: A): connection is Connection<Able<A>> =>
  connection.provider[ability] !== undefined

/** Puts a provider behind the layers that `send` is made of. */
export function connect(provider: Provider, send: Send, pay: Pay = unlimited): Connection {
  const { name, baseUrl, model, parameters } = provider
  return { provider, send, pay, identity: hashOf({ name, baseUrl, model, parameters }) }
}
