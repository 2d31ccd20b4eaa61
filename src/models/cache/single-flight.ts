import type { ModelError } from '../errors.ts'
import type { Tokenizer } from '../text/tokens.ts'
import type { Cache } from './cache.ts'
import type { Entry } from './entry.ts'

/** What came of a call. With a `failure` the entry holds the replies that were paid for all the same, and is not stored. */
export interface Made<E extends Entry> {
  readonly entry: E
  readonly failure?: ModelError
}

/** `cached`: it was stored before this run began. */
export interface Remembered<E extends Entry> extends Made<E> {
  readonly cached: boolean
}

/** Calls by key: those under way, and those in the cache. A key belongs to one kind of entry. */
export interface Memory {
  /** The call of that key, under way or stored; undefined when it has to be made. */
  find<E extends Entry>(key: string): Promise<Remembered<E>> | undefined
  /** Makes a call known while it is under way, so that equal calls are made once, and stores what came of it. */
  hold<E extends Entry>(key: string, call: Promise<Made<E>>): Promise<Remembered<E>>
}

/** What all scopes of a run share. */
export interface Shared {
  readonly memory: Memory
  readonly tokenizer: Tokenizer
}

/**
 * Single flight in front of a cache, or alone where there is none. A reply that was of no use stays known until the run ends, so that
 * every method that asks the same meets the same loss; the next run asks again.
 */
export function memory(cache: Cache | null): Memory {
  const underWay = new Map<string, Promise<Remembered<Entry>>>()
  return {
    find<E extends Entry>(key: string) {
      const call = underWay.get(key)
      if (call) return call as Promise<Remembered<E>>
      const stored = cache?.get(key)
      return stored && Promise.resolve({ entry: stored.entry as E, cached: stored.before })
    },
    hold<E extends Entry>(key: string, call: Promise<Made<E>>) {
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
  }
}

const isLost = ({ failure }: Made<Entry>): boolean => failure?.kind === 'reply' || failure?.kind === 'refused'
