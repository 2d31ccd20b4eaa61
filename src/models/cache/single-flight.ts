import { itemAt, valueOf } from '../../basics/collections.ts'
import type { Cache, CacheEntry, CallResult } from './cache.ts'

/** `cached`: stored before this run began. `own`: made now for whoever asks; equal calls of others share it. */
export interface ResolvedCall<E extends CacheEntry> extends CallResult<E> {
  readonly cached: boolean
  readonly own: boolean
}

/** Makes the calls of these keys: a promise each, in their order. */
type MakeCalls<E extends CacheEntry> = (keys: readonly string[]) => readonly Promise<CallResult<E>>[]

/** Calls by key: those under way, and those in the cache. A key belongs to one kind of entry. */
export interface SingleFlight {
  /** The calls of these keys: under way, stored, or made by `make`; equal calls are made once. */
  take<E extends CacheEntry>(keys: readonly string[], make: MakeCalls<E>): ReadonlyMap<string, Promise<ResolvedCall<E>>>
  takeOne<E extends CacheEntry>(key: string, make: () => Promise<CallResult<E>>): Promise<ResolvedCall<E>>
  /** Waits until no call is under way and what came of each is stored. */
  settled(): Promise<void>
}

type Resolved = ResolvedCall<CacheEntry>

/** Calls in front of a cache. A lost reply stays lost in this run. Of a `shared` run what any process made counts. */
export function singleFlight(cache: Cache | null, shared?: SharedCalls): SingleFlight {
  const underWay = new Map<string, Promise<Resolved>>()
  const stored = (key: string): Resolved | undefined => {
    const found = cache?.get(key)
    return found && { entry: found.entry, cached: found.before, own: false }
  }
  const storing = async (key: string, call: Promise<CallResult<CacheEntry>>): Promise<Resolved> => {
    const made = await call
    if (!made.failure) cache?.put(key, made.entry)
    return { ...made, cached: false, own: true }
  }
  const makeAll = (keys: readonly string[], make: MakeCalls<CacheEntry>): Map<string, Promise<Resolved>> => {
    const calls = keys.length > 0 ? make(keys) : []
    return new Map(keys.map((key, at) => [key, storing(key, itemAt(calls, at))]))
  }
  /** The calls of which this process has none under way: those of other processes, and its own. */
  const makeShared = (keys: readonly string[], make: MakeCalls<CacheEntry>, run: SharedCalls): typeof underWay => {
    const permits = run.permit(keys)
    const made = permits.then((all) =>
      makeAll(
        keys.filter((key) => all.get(key) === 'ours' && !stored(key)),
        make,
      ),
    )
    // the call of each key fails by itself
    made.catch(() => undefined)
    const resolve = async (key: string): Promise<Resolved> => {
      const permit = await valueOf(await permits, key)
      if (permit !== 'ours') return { ...permit, own: false }
      let outcome: SharedCall | undefined
      try {
        const call = (await made).get(key) ?? stored(key) ?? valueOf(makeAll([key], make), key)
        const resolved = await call
        if (!resolved.failure || isLost(resolved)) outcome = resolved
        return resolved
      } finally {
        await run.settle(key, outcome)
      }
    }
    return new Map(keys.map((key) => [key, resolve(key)]))
  }
  const take = (keys: readonly string[], make: MakeCalls<CacheEntry>): ReadonlyMap<string, Promise<Resolved>> => {
    const calls = new Map<string, Promise<Resolved>>()
    const missing: string[] = []
    for (const key of new Set(keys)) {
      const running = underWay.get(key)
      const found = running || shared ? undefined : stored(key)
      if (running)
        calls.set(
          key,
          running.then((made) => ({ ...made, own: false })),
        )
      else if (found) calls.set(key, Promise.resolve(found))
      else missing.push(key)
    }
    if (missing.length === 0) return calls
    for (const [key, call] of shared ? makeShared(missing, make, shared) : makeAll(missing, make)) {
      underWay.set(key, call)
      calls.set(key, call)
      call.then(
        (made) => isLost(made) || underWay.delete(key),
        () => underWay.delete(key),
      )
    }
    return calls
  }

  return {
    take: <E extends CacheEntry>(keys: readonly string[], make: MakeCalls<E>) =>
      take(keys, make) as ReadonlyMap<string, Promise<ResolvedCall<E>>>,
    takeOne: <E extends CacheEntry>(key: string, make: () => Promise<CallResult<E>>) =>
      valueOf(
        take([key], () => [make()]),
        key,
      ) as Promise<ResolvedCall<E>>,
    async settled() {
      await Promise.allSettled(underWay.values())
    },
  }
}

/** Whether the reply was refused or could not be read. */
export const isLost = ({ failure }: CallResult<CacheEntry>): boolean =>
  failure?.kind === 'reply' || failure?.kind === 'refused'

/** What came of a call of a run that several processes work on. `cached`: it was stored before the run began. */
export interface SharedCall extends CallResult<CacheEntry> {
  readonly cached: boolean
}

/** Who has a call: this process is to make it, or another one has made it, or makes it and may give it up. */
export type Permit = 'ours' | Promise<SharedCall | 'ours'>

/** The calls of a run that several processes work on: each is made by one of them. */
export interface SharedCalls {
  /** Marks what is stored during the run. */
  readonly session: string
  /** Permits the calls of these keys. What is ours must be settled. */
  permit(keys: readonly string[]): Promise<ReadonlyMap<string, Permit>>
  /** Tells the others what came of a call that is ours; undefined where nothing did: another process may make it. */
  settle(key: string, made: SharedCall | undefined): Promise<void>
}
