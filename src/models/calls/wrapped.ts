import type { Tokenizer } from '../../text/tokens.ts'
import type { SingleFlight } from '../cache/single-flight.ts'
import type { Completion, Embeddings, Provider } from '../provider.ts'
import type { CallTokens } from './spending.ts'

/** What a provider is wrapped in, for the parts of a client that make calls. */
export interface Wrapped {
  readonly provider: Provider
  readonly tokenizer: Tokenizer
  /** Hash of all that changes the provider's replies: a part of every cache key. */
  readonly identity: string
  /** The calls of this run, of all models. */
  readonly calls: SingleFlight
  readonly send: Send
}

/** Sends a request that needs at most the tokens of `most`; `read` gives its result with the tokens that it used. */
export type Send = <T extends Completion | Embeddings, R extends CallTokens>(
  most: () => CallTokens,
  attempt: (signal: AbortSignal) => Promise<T>,
  read: (reply: T) => R,
) => Promise<{ readonly result: R; readonly milliseconds: number }>
