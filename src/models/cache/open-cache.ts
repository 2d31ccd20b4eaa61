import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, removeEmptyFolders } from '../../basics/files.ts'
import { messageOf, UserError } from '../../errors.ts'
import { type Cache, fromBytes, toBytes, type CacheEntry } from './cache.ts'
import { openRecordLog, type RecordLog } from './record-log.ts'

/**
 * The cache in a folder, created with the first entry; several processes may share it. `warn` receives one line about
 * damaged entries, which are skipped, and one if the file is not writable. Entries put with an equal `session` do not
 * count as earlier ones. Throws UserError if the cache cannot be opened.
 */
export async function openCache(
  folder: string,
  warn: (line: string) => void = () => undefined,
  session = randomBytes(6).toString('base64url'),
): Promise<Cache> {
  const file = join(folder, 'calls.log')
  const memoryCache = inMemoryCache()
  let log: RecordLog | undefined
  let isWritable = true
  /** The log, once it exists: another process may create it. */
  const existing = (): RecordLog | undefined => (log ??= existsSync(file) ? openRecordLog(file) : undefined)
  const cannotWrite = (error: unknown): void => {
    if (isWritable) warn(`${file}: cannot be written (${messageOf(error)}); further calls of this run are not cached`)
    isWritable = false
  }
  try {
    if (!existing()) removeEmptyFolders(makeFolder(folder))
  } catch (error) {
    const remedy = 'name another folder or use --no-cache'
    throw new UserError(`${file}: cannot open the call cache: ${messageOf(error)}; ${remedy}`)
  }

  return {
    get(key) {
      const data = existing()?.get(key)
      if (!data) return memoryCache.get(key)
      const { entry, session: writer } = fromBytes(data)
      return { entry, before: writer !== session }
    },
    put(key, entry) {
      if (isWritable)
        try {
          if (!existing()) makeFolder(folder)
          log ??= openRecordLog(file)
          log.append(key, toBytes({ entry, session }))
          return
        } catch (error) {
          cannotWrite(error)
        }
      memoryCache.put(key, entry)
    },
    async close() {
      const damagedCount = log?.damaged() ?? 0
      if (damagedCount > 0)
        warn(
          `${file}: skipped ${damagedCount} damaged ${damagedCount === 1 ? 'entry' : 'entries'}; such calls are made again`,
        )
      try {
        log?.close()
      } catch (error) {
        cannotWrite(error)
      }
    },
  }
}

/** A cache for runs without one on disk; evicts the oldest entries above `bytes`. */
export function inMemoryCache(bytes = 8 * 1024 ** 2): Cache {
  const entryByKey = new Map<string, CacheEntry>()
  let usedBytes = 0
  return {
    get(key) {
      const entry = entryByKey.get(key)
      return entry && { entry, before: false }
    },
    put(key, entry) {
      const previous = entryByKey.get(key)
      entryByKey.set(key, entry)
      usedBytes += sizeOf(entry) - (previous ? sizeOf(previous) : 0)
      for (const [oldest, oldestEntry] of entryByKey) {
        if (usedBytes <= bytes) break
        entryByKey.delete(oldest)
        usedBytes -= sizeOf(oldestEntry)
      }
    },
    close: async () => entryByKey.clear(),
  }
}

/** Approximate bytes of an entry in memory. */
function sizeOf(entry: CacheEntry): number {
  return 'replies' in entry
    ? entry.replies.reduce((sum, { text }) => sum + 2 * text.length, 500)
    : entry.vectors.reduce((sum, vector) => sum + vector.byteLength, 500)
}

/** The same cache; `note` receives the key of each call that is found or put. */
export const notingCache = (cache: Cache, note: (key: string) => void): Cache => ({
  ...cache,
  get(key) {
    const hit = cache.get(key)
    if (hit) note(key)
    return hit
  },
  put(key, entry) {
    note(key)
    cache.put(key, entry)
  },
})
