import { hashOf } from '../text/hash.ts'
import type { Provider } from './provider.ts'
import type { Send } from './retry.ts'

/** A provider behind its limit and retries. */
export interface Opened<P extends Provider = Provider> {
  readonly provider: P
  readonly send: Send
  /** Hash of all that changes the provider's replies: a part of every cache key. */
  readonly identity: string
}

export type Ability = 'complete' | 'embed' | 'embedTokens'

/** A provider that has an ability. */
export type Able<A extends Ability> = Provider & Required<Pick<Provider, A>>

export const isAble = <A extends Ability>(opened: Opened, ability: A): opened is Opened<Able<A>> =>
  opened.provider[ability] !== undefined

/** Puts a provider behind the layers that `send` is made of. */
export function opened(provider: Provider, send: Send): Opened {
  const { name, baseUrl, model, parameters } = provider
  return { provider, send, identity: hashOf({ name, baseUrl, model, parameters }) }
}
