import type { Tokenizer } from '../../text/tokens.ts'
import type { SingleFlight } from '../cache/single-flight.ts'
import type { Completion, Embeddings, Provider } from '../provider.ts'
import type { CallTokens } from './usage-limit.ts'

/** What the parts of a client need to make a call. */
export interface CallContext {
  readonly provider: Provider
  readonly tokenizer: Tokenizer
  /** Hash of everything that changes the provider's replies: a part of every cache key. */
  readonly identity: string
  /** The calls of all models of this run. */
  readonly calls: SingleFlight
  readonly send: Send
  /** Receives one line about a server's behaviour. */
  readonly warn: (line: string) => void
}

/** Sends a request that needs at most `most` tokens; `read` returns its result with the tokens used. */
export type Send = <T extends Completion | Embeddings, R extends CallTokens>(
  most: () => CallTokens,
  attempt: (signal: AbortSignal) => Promise<T>,
  read: (reply: T) => R,
) => Promise<{ readonly result: R; readonly milliseconds: number }>
