import type { CacheEntry } from './cache-entry.ts'

/** Calls that were made, by key. Nothing expires; failed calls are never put in. */
export interface Cache {
  /** `before`: it was written before this cache was opened, or by another process. */
  get(key: string): { readonly entry: CacheEntry; readonly before: boolean } | undefined
  /** Visible to `get` at once, and on disk where it can be written. */
  put(key: string, entry: CacheEntry): void
  /** Everything, sorted by key. */
  entries(): AsyncIterable<{ readonly key: string; readonly entry: CacheEntry }>
  close(): Promise<void>
}
