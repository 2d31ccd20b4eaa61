import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../basics/files.ts'
import { messageOf, UserError } from '../../errors.ts'
import { type Cache, fromBytes, toBytes, type CacheEntry } from './cache.ts'
import { openRecordLog, type RecordLog } from './record-log.ts'

/**
 * The cache in a folder, made with the first entry; several processes may share it. `warn` is told, in a line each and
 * once, of damaged entries, which are as if never put in, and of a file that cannot be written. `session`: what is put
 * in is known as of every opening with the same one. Throws UserError where no cache can be opened.
 */
export async function openCache(
  folder: string,
  warn: (line: string) => void = () => undefined,
  session = randomBytes(6).toString('base64url'),
): Promise<Cache> {
  const file = join(folder, 'calls.log')
  const unwritten = inMemoryCache()
  let log: RecordLog | undefined
  let isWritable = true
  /** The log, as soon as there is one: another process may make it. */
  const existing = (): RecordLog | undefined => (log ??= existsSync(file) ? openRecordLog(file) : undefined)
  const created = (): RecordLog => {
    if (!existing()) makeFolder(folder)
    return (log ??= openRecordLog(file))
  }
  const cannotWrite = (error: unknown): void => {
    if (isWritable)
      warn(`${file}: cannot be written (${messageOf(error)}); the run goes on, and calls from now on are not kept`)
    isWritable = false
  }
  try {
    if (!existing()) tryFolder(folder)
  } catch (error) {
    const remedy = 'name another folder or use --no-cache'
    throw new UserError(`${file}: cannot open the call cache: ${messageOf(error)}; ${remedy}`)
  }

  return {
    get(key) {
      const data = existing()?.get(key)
      if (!data) return unwritten.get(key)
      const { entry, session: writer } = fromBytes(data)
      return { entry, before: writer !== session }
    },
    put(key, entry) {
      if (isWritable)
        try {
          created().append(key, toBytes({ entry, session }))
          return
        } catch (error) {
          cannotWrite(error)
        }
      unwritten.put(key, entry)
    },
    async *entries() {
      for (const key of [...(existing()?.keys() ?? [])].sort()) {
        const data = log?.get(key)
        if (data) yield { key, entry: fromBytes(data).entry }
      }
    },
    async close() {
      const damaged = log?.damaged() ?? 0
      if (damaged > 0)
        warn(
          `${file}: ${damaged} damaged ${damaged === 1 ? 'entry was' : 'entries were'} left out; such calls are made again`,
        )
      try {
        log?.close()
      } catch (error) {
        cannotWrite(error)
      }
    },
  }
}

/** Throws what the file system throws where nothing can be made at this path; tried above it. */
function tryFolder(folder: string): void {
  let place = folder
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  rmdirSync(mkdtempSync(join(place, '.gembench-')))
}

/** Keeps one run from asking twice where nothing may be on disk; forgets the oldest beyond that many bytes. */
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
      kept.set(key, entry)
      used += sizeOf(entry) - (replaced ? sizeOf(replaced) : 0)
      for (const [oldest, forgotten] of kept) {
        if (used <= bytes) break
        kept.delete(oldest)
        used -= sizeOf(forgotten)
      }
    },
    async *entries() {
      for (const [key, entry] of [...kept].sort(([a], [b]) => (a < b ? -1 : 1))) yield { key, entry }
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
