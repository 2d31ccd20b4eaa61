import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, UserError } from '../errors.ts'
import { pack, unpack, type Entry, type Packed } from './entry.ts'

/** Calls that were made, by key. Nothing expires; failed calls are never put in. */
export interface Cache {
  /** `before`: it was written before this cache was opened, or by another process. */
  get(key: string): { readonly entry: Entry; readonly before: boolean } | undefined
  /** Visible to `get` at once; on disk soon after, at the latest when the cache is closed. */
  put(key: string, entry: Entry): void
  /** Everything, sorted by key. */
  entries(): AsyncIterable<{ readonly key: string; readonly entry: Entry }>
  close(): Promise<void>
}

interface Stored {
  readonly session: string
  readonly packed: Packed
}

/** The cache in a folder, made when absent; several processes may share it. Throws UserError when it cannot be opened or written. */
export async function openCache(folder: string): Promise<Cache> {
  const { db, file } = await openDatabase(folder)
  const session = randomBytes(6).toString('base64url')
  // writes are committed in batches a moment later, and lmdb does not show them before
  const uncommitted = new Map<string, Entry>()
  let failure: UserError | undefined

  return {
    get(key) {
      const entry = uncommitted.get(key)
      if (entry) return { entry, before: false }
      const stored = db.get(key)
      return stored && { entry: unpack(stored.packed), before: stored.session !== session }
    },
    put(key, entry) {
      uncommitted.set(key, entry)
      db.put(key, { session, packed: pack(entry) }).then(
        () => {
          if (uncommitted.get(key) === entry) uncommitted.delete(key)
        },
        (error: unknown) => {
          // the run goes on with what is in memory; whoever closes is told
          failure = new UserError(`${file}: cannot write the call cache: ${messageOf(error)}`)
        },
      )
    },
    async *entries() {
      await db.committed
      for (const { key, value } of db.getRange()) yield { key, entry: unpack(value.packed) }
    },
    async close() {
      await db.flushed
      await db.close()
      if (failure) throw failure
    },
  }
}

async function openDatabase(folder: string) {
  const file = join(folder, 'calls.lmdb')
  const { open } = await import('lmdb')
  try {
    mkdirSync(folder, { recursive: true })
    return { file, db: open<Stored, string>({ path: file, noSubdir: true, encoding: 'msgpack' }) }
  } catch (error) {
    throw new UserError(
      `${file}: cannot open the call cache: ${messageOf(error)}; name another folder or use --no-cache`,
    )
  }
}

/** Keeps one run from asking the same twice where nothing may be kept on disk; forgets the oldest beyond about that many bytes. */
export function memoryCache(bytes = 32 * 1024 ** 2): Cache {
  const kept = new Map<string, Entry>()
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
function sizeOf(entry: Entry): number {
  return 'replies' in entry
    ? entry.replies.reduce((sum, { text }) => sum + 2 * text.length, 500)
    : entry.vectors.reduce((sum, vector) => sum + vector.byteLength, 500)
}
