import { valueOf } from '../../basics/collections.ts'
import type { Cache, CacheEntry, CallResult } from './cache.ts'

/** `cached`: stored before this run began. `own`: made now for whoever asks; equal calls of others share it. */
export interface ResolvedCall<E extends CacheEntry> extends CallResult<E> {
  readonly cached: boolean
  readonly own: boolean
}

type MakeCalls<E extends CacheEntry> = (missing: readonly string[]) => ReadonlyMap<string, Promise<CallResult<E>>>

/** Calls by key: those under way, and those in the cache. A key belongs to one kind of entry. */
export interface SingleFlight {
  /** The calls of these keys: under way, stored, or made by `make`; equal calls are made once. */
  take<E extends CacheEntry>(keys: readonly string[], make: MakeCalls<E>): ReadonlyMap<string, Promise<ResolvedCall<E>>>
  takeOne<E extends CacheEntry>(key: string, make: () => Promise<CallResult<E>>): Promise<ResolvedCall<E>>
  /** Waits until no call is under way and what came of each is stored. */
  settled(): Promise<void>
}

type Resolved = ResolvedCall<CacheEntry>

type Resolving = ReadonlyMap<string, Promise<Resolved>>

/** Calls in front of a cache: a lost reply stays lost in this run; what processes of a `shared` run made leads. */
export function singleFlight(cache: Cache | null, shared?: SharedCalls): SingleFlight {
  const underWay = new Map<string, Promise<Resolved>>()
  const stored = (key: string): Resolved | undefined => {
    const found = cache?.get(key)
    return found && { entry: found.entry, cached: found.before, own: false }
  }
  const store = (key: string, made: CallResult<CacheEntry>): Resolved => {
    if (!made.failure) cache?.put(key, made.entry)
    return { ...made, cached: false, own: true }
  }
  const hold = (key: string, call: Promise<Resolved>): Promise<Resolved> => {
    const held = call.then(
      (made) => {
        if (!isLost(made)) underWay.delete(key)
        return made
      },
      (error: unknown) => {
        underWay.delete(key)
        throw error
      },
    )
    underWay.set(key, held)
    return held
  }
  const take = (keys: readonly string[], make: MakeCalls<CacheEntry>): Resolving => {
    const found = new Map<string, Promise<Resolved>>()
    const missing = new Set<string>()
    for (const key of keys) {
      if (found.has(key) || missing.has(key)) continue
      const known = underWay.get(key)
      const kept = known || shared ? undefined : stored(key)
      const others = known?.then((made) => ({ ...made, own: false }))
      if (others) found.set(key, others)
      else if (kept) found.set(key, Promise.resolve(kept))
      else missing.add(key)
    }
    if (missing.size === 0) return found
    const makeStored = (wanted: readonly string[]): Resolving =>
      new Map([...make(wanted)].map(([key, call]) => [key, call.then((result) => store(key, result))]))
    const calls = shared ? takeShared([...missing], makeStored, shared, stored) : makeStored([...missing])
    for (const [key, call] of calls) found.set(key, hold(key, call))
    return found
  }

  return {
    take: <E extends CacheEntry>(keys: readonly string[], make: MakeCalls<E>) =>
      take(keys, make) as ReadonlyMap<string, Promise<ResolvedCall<E>>>,
    takeOne: <E extends CacheEntry>(key: string, make: () => Promise<CallResult<E>>) =>
      valueOf(
        take([key], (missing) => new Map(missing.map(() => [key, make()]))),
        key,
      ) as Promise<ResolvedCall<E>>,
    async settled() {
      await Promise.allSettled(underWay.values())
    },
  }
}

/** Calls that this process has not under way: what others make of them, and what is ours, from the cache or made. */
function takeShared(
  missing: readonly string[],
  make: (keys: readonly string[]) => Resolving,
  shared: SharedCalls,
  stored: (key: string) => Resolved | undefined,
): Resolving {
  const permits = shared.permit(missing)
  const together = permits.then((all) => make(missing.filter((key) => all.get(key) === 'ours' && !stored(key))))
  // the call of each key fails by itself
  together.catch(() => undefined)
  const ours = async (key: string): Promise<Resolved> => {
    try {
      const resolved = stored(key) ?? (await ((await together).get(key) ?? valueOf(make([key]), key)))
      await shared.settle(key, resolved.failure && !isLost(resolved) ? undefined : resolved)
      return resolved
    } catch (error) {
      await shared.settle(key, undefined)
      throw error
    }
  }
  const one = async (key: string): Promise<Resolved> => {
    const permit = await valueOf(await permits, key)
    return permit === 'ours' ? ours(key) : { ...permit, own: false }
  }
  return new Map(missing.map((key) => [key, one(key)]))
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
