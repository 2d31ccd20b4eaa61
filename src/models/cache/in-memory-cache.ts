import type { Cache } from './cache.ts'
import type { CacheEntry } from './cache-entry.ts'

/** Keeps one run from asking the same twice where nothing may be kept on disk; forgets the oldest beyond about that many bytes. */
export function inMemoryCache(bytes = 8 * 1024 ** 2): Cache {
  const kept = new Map<string, CacheEntry>()
  let used = 0
  return {
    get(key) {
      const entry = kept.get(key)
      return entry && { entry, before: false }
    },
    put(key, entry) {
      const replaced = kept.get(key)
      if (replaced) used -= sizeOf(replaced)
      kept.set(key, entry)
      used += sizeOf(entry)
      for (const [oldest, forgotten] of kept) {
        if (used <= bytes) break
        kept.delete(oldest)
        used -= sizeOf(forgotten)
      }
    },
    async *entries() {
      for (const key of [...kept.keys()].sort()) {
        const entry = kept.get(key)
        if (entry) yield { key, entry }
      }
    },
    close: async () => kept.clear(),
  }
}

/** Bytes of an entry in memory, roughly. */
function sizeOf(entry: CacheEntry): number {
  return 'replies' in entry
    ? entry.replies.reduce((sum, { text }) => sum + 2 * text.length, 500)
    : entry.vectors.reduce((sum, vector) => sum + vector.byteLength, 500)
}
