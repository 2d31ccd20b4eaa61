import type { ModelError } from '../../errors.ts'
import type { Tokenizer } from '../../text/tokens.ts'
import type { Cache } from './cache.ts'
import type { CacheEntry } from './cache-entry.ts'

/** What came of a call. With a `failure` the entry holds the replies that were paid for all the same, and is not stored. */
export interface CallResult<E extends CacheEntry> {
  readonly entry: E
  readonly failure?: ModelError
}

/** `cached`: it was stored before this run began. */
export interface ResolvedCall<E extends CacheEntry> extends CallResult<E> {
  readonly cached: boolean
}

/** Calls by key: those under way, and those in the cache. A key belongs to one kind of entry. */
export interface SingleFlight {
  /** The call of that key, under way or stored; undefined when it has to be made. */
  find<E extends CacheEntry>(key: string): Promise<ResolvedCall<E>> | undefined
  /** Makes a call known while it is under way, so that equal calls are made once, and stores what came of it. */
  hold<E extends CacheEntry>(key: string, call: Promise<CallResult<E>>): Promise<ResolvedCall<E>>
  /** Waits until no call is under way and what came of each is stored. */
  settled(): Promise<void>
}

/** What all scopes of a run share. */
export interface SharedParts {
  readonly calls: SingleFlight
  readonly tokenizer: Tokenizer
}

/**
 * Single flight in front of a cache, or alone where there is none. A reply that was of no use stays known until the run ends, so that
 * every method that asks the same meets the same loss; the next run asks again.
 */
export function singleFlight(cache: Cache | null): SingleFlight {
  const underWay = new Map<string, Promise<ResolvedCall<CacheEntry>>>()
  return {
    find<E extends CacheEntry>(key: string) {
      const call = underWay.get(key)
      if (call) return call as Promise<ResolvedCall<E>>
      const stored = cache?.get(key)
      return stored && Promise.resolve({ entry: stored.entry as E, cached: stored.before })
    },
    hold<E extends CacheEntry>(key: string, call: Promise<CallResult<E>>) {
      const held = call
        .then((made) => {
          if (!made.failure) cache?.put(key, made.entry)
          if (!isLost(made)) underWay.delete(key)
          return { ...made, cached: false }
        })
        .catch((error: unknown) => {
          underWay.delete(key)
          throw error
        })
      underWay.set(key, held)
      return held
    },
    async settled() {
      await Promise.allSettled(underWay.values())
    },
  }
}

const isLost = ({ failure }: CallResult<CacheEntry>): boolean =>
  failure?.kind === 'reply' || failure?.kind === 'refused'
