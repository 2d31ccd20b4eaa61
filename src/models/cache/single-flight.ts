import { itemAt, valueOf } from '../../basics/collections.ts'
import type { Cache, CacheEntry, CallResult } from './cache.ts'

/** `cached`: stored before this run began. `isOwn`: made for this caller; equal calls of others share it. */
export interface ResolvedCall<E extends CacheEntry> extends CallResult<E> {
  readonly cached: boolean
  readonly isOwn: boolean
}

/** Makes the calls of these keys: one promise per key, in order. */
type MakeCalls<E extends CacheEntry> = (keys: readonly string[]) => readonly Promise<CallResult<E>>[]

/** Calls by key, in flight or cached. A key belongs to one kind of entry. */
export interface SingleFlight {
  /** The calls of these keys: in flight, cached, or made by `make`; equal calls are made once. */
  take<E extends CacheEntry>(keys: readonly string[], make: MakeCalls<E>): ReadonlyMap<string, Promise<ResolvedCall<E>>>
  takeSingle<E extends CacheEntry>(key: string, make: () => Promise<CallResult<E>>): Promise<ResolvedCall<E>>
  /** Waits until all calls in flight have settled and are stored. */
  drain(): Promise<void>
}

type Resolved = ResolvedCall<CacheEntry>

/** Shares equal calls in front of a cache. A lost reply stays lost in this run. `sharedCalls`: of several processes. */
export function singleFlight(cache: Cache | null, sharedCalls?: SharedCalls): SingleFlight {
  const pending = new Map<string, Promise<Resolved>>()
  const lookUp = (key: string): Resolved | undefined => {
    const hit = cache?.get(key)
    return hit && { entry: hit.entry, cached: hit.before, isOwn: false }
  }
  const storeResult = async (key: string, call: Promise<CallResult<CacheEntry>>): Promise<Resolved> => {
    const result = await call
    if (!result.failure) cache?.put(key, result.entry)
    return { ...result, cached: false, isOwn: true }
  }
  const makeAll = (keys: readonly string[], make: MakeCalls<CacheEntry>): Map<string, Promise<Resolved>> => {
    const calls = keys.length > 0 ? make(keys) : []
    return new Map(keys.map((key, at) => [key, storeResult(key, itemAt(calls, at))]))
  }
  /** The calls that this process has not in flight: other processes make some of them. */
  const makeByPermit = (keys: readonly string[], make: MakeCalls<CacheEntry>, run: SharedCalls): typeof pending => {
    const permits = run.permit(keys)
    const ownCalls = permits.then((all) =>
      makeAll(
        keys.filter((key) => all.get(key) === 'ours' && !lookUp(key)),
        make,
      ),
    )
    // each key's call reports its own failure
    ownCalls.catch(() => undefined)
    const resolve = async (key: string): Promise<Resolved> => {
      const permit = await valueOf(await permits, key)
      if (permit !== 'ours') {
        if (!permit.failure && !lookUp(key)) cache?.put(key, permit.entry)
        return { ...permit, isOwn: false }
      }
      let outcome: SharedCall | undefined
      try {
        const call = (await ownCalls).get(key) ?? lookUp(key) ?? valueOf(makeAll([key], make), key)
        const result = await call
        if (!result.failure || isLost(result)) outcome = result
        return result
      } finally {
        run.settle(key, outcome)
      }
    }
    return new Map(keys.map((key) => [key, resolve(key)]))
  }
  const take = (keys: readonly string[], make: MakeCalls<CacheEntry>): ReadonlyMap<string, Promise<Resolved>> => {
    const calls = new Map<string, Promise<Resolved>>()
    const missing: string[] = []
    for (const key of new Set(keys)) {
      const running = pending.get(key)
      const hit = running || sharedCalls ? undefined : lookUp(key)
      if (running)
        calls.set(
          key,
          running.then((result) => ({ ...result, isOwn: false })),
        )
      else if (hit) calls.set(key, Promise.resolve(hit))
      else missing.push(key)
    }
    if (missing.length === 0) return calls
    for (const [key, call] of sharedCalls ? makeByPermit(missing, make, sharedCalls) : makeAll(missing, make)) {
      pending.set(key, call)
      calls.set(key, call)
      call.then(
        (result) => isLost(result) || pending.delete(key),
        () => pending.delete(key),
      )
    }
    return calls
  }

  return {
    take: <E extends CacheEntry>(keys: readonly string[], make: MakeCalls<E>) =>
      take(keys, make) as ReadonlyMap<string, Promise<ResolvedCall<E>>>,
    takeSingle: <E extends CacheEntry>(key: string, make: () => Promise<CallResult<E>>) =>
      valueOf(
        take([key], () => [make()]),
        key,
      ) as Promise<ResolvedCall<E>>,
    async drain() {
      await Promise.allSettled(pending.values())
    },
  }
}

/** Whether the reply was refused or unreadable. */
export const isLost = ({ failure }: CallResult<CacheEntry>): boolean =>
  failure?.kind === 'reply' || failure?.kind === 'refused'

/** The result of a call of a distributed run. `cached`: stored before the run began. */
export interface SharedCall extends CallResult<CacheEntry> {
  readonly cached: boolean
}

/** Who makes a call: this process, or another one, which may have finished it or may give it up. */
export type Permit = 'ours' | Promise<SharedCall | 'ours'>

/** The calls of a distributed run: each is made by one process. */
export interface SharedCalls {
  /** Identifies entries stored during the run. */
  readonly session: string
  /** Permits for these keys. A call that is ours must be settled. */
  permit(keys: readonly string[]): Promise<ReadonlyMap<string, Permit>>
  /** Publishes the outcome of a call that is ours; undefined: another process may make it. */
  settle(key: string, outcome: SharedCall | undefined): void
}
