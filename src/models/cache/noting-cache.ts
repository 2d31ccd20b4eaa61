import type { Cache } from './cache.ts'

/** The same cache; `note` is told the key of every call that is found in it or put into it. */
export const notingCache = (cache: Cache, note: (key: string) => void): Cache => ({
  ...cache,
  get(key) {
    const found = cache.get(key)
    if (found) note(key)
    return found
  },
  put(key, entry) {
    note(key)
    cache.put(key, entry)
  },
})
