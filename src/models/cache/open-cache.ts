import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../basics/make-folder.ts'
import { messageOf, UserError } from '../../errors.ts'
import type { Cache } from './cache.ts'
import { fromBytes, toBytes } from './entry-bytes.ts'
import { inMemoryCache } from './in-memory-cache.ts'
import { openRecordLog, type RecordLog } from './record-log.ts'

/**
 * The cache in a folder, made when absent; several processes may share it. `warn` is told, in a line each and once, of damaged entries, which
 * are as if they had never been put in, and of a file that cannot be written, without which the run goes on. Throws UserError where no cache
 * can be opened. `session`: what is put in is known as of this opening, or of every other one with the same session.
 */
export async function openCache(
  folder: string,
  warn: (line: string) => void = () => undefined,
  session = randomBytes(6).toString('base64url'),
): Promise<Cache> {
  const { log, file } = open(folder, warn)
  const unwritten = inMemoryCache()
  let writable = true
  const cannotWrite = (error: unknown): void => {
    if (writable)
      warn(`${file}: cannot be written (${messageOf(error)}); the run goes on, and calls from now on are not kept`)
    writable = false
  }

  return {
    get(key) {
      const data = log.get(key)
      if (!data) return unwritten.get(key)
      const { entry, session: writer } = fromBytes(data)
      return { entry, before: writer !== session }
    },
    put(key, entry) {
      if (writable)
        try {
          log.append(key, toBytes({ entry, session }))
          return
        } catch (error) {
          cannotWrite(error)
        }
      unwritten.put(key, entry)
    },
    async *entries() {
      for (const key of [...log.keys()].sort()) {
        const data = log.get(key)
        if (data) yield { key, entry: fromBytes(data).entry }
      }
    },
    async close() {
      const damaged = log.damaged()
      if (damaged > 0)
        warn(
          `${file}: ${damaged} damaged ${damaged === 1 ? 'entry was' : 'entries were'} left out; such calls are made again`,
        )
      try {
        log.close()
      } catch (error) {
        cannotWrite(error)
      }
    },
  }
}

function open(folder: string, warn: (line: string) => void): { readonly log: RecordLog; readonly file: string } {
  const file = join(folder, 'calls.log')
  const earlier = join(folder, 'calls.lmdb')
  try {
    makeFolder(folder)
    if (existsSync(earlier) && !existsSync(file))
      warn(
        `${earlier}: is the call cache of an earlier version and is not read; export it with that version ("gembench cache export FILE") and import it with this one, or remove it`,
      )
    return { log: openRecordLog(file), file }
  } catch (error) {
    throw new UserError(
      `${file}: cannot open the call cache: ${messageOf(error)}; name another folder or use --no-cache`,
    )
  }
}
