import type { CacheEntry, CallResult } from './cache-entry.ts'

/** What came of a call of a run that several processes work on. `cached`: it was stored before the run began. */
export interface SharedCall extends CallResult<CacheEntry> {
  readonly cached: boolean
}

/** Who has a call: it is for this process to make, or another one has made it, or makes it now and may still give it up. */
export type Permit = 'ours' | Promise<SharedCall | 'ours'>

/** The calls of a run that several processes work on: each is made by one of them. */
export interface SharedCalls {
  /** Marks what is stored during the run. */
  readonly session: string
  /** Permits the calls of these keys. What is ours must be settled. */
  permit(keys: readonly string[]): Promise<ReadonlyMap<string, Permit>>
  /** Tells the others what came of a call that is ours; undefined where nothing did, and another process may make it. */
  settle(key: string, made: SharedCall | undefined): Promise<void>
}
