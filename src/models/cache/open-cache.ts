import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../basics/make-folder.ts'
import { messageOf, UserError } from '../../errors.ts'
import type { Cache } from './cache.ts'
import { fromBytes, toBytes } from './entry-bytes.ts'
import { inMemoryCache } from './in-memory-cache.ts'
import { openRecordLog, type RecordLog } from './record-log.ts'

/**
 * The cache in a folder, made with the first entry; several processes may share it. `warn` is told, in a line each and once, of damaged
 * entries, which are as if they had never been put in, and of a file that cannot be written, without which the run goes on. Throws UserError
 * where no cache can be opened. `session`: what is put in is known as of this opening, or of every other one with the same session.
 */
export async function openCache(
  folder: string,
  warn: (line: string) => void = () => undefined,
  session = randomBytes(6).toString('base64url'),
): Promise<Cache> {
  const { file, opened, log, made } = open(folder, warn)
  const unwritten = inMemoryCache()
  let writable = true
  const cannotWrite = (error: unknown): void => {
    if (writable)
      warn(`${file}: cannot be written (${messageOf(error)}); the run goes on, and calls from now on are not kept`)
    writable = false
  }

  return {
    get(key) {
      const data = log()?.get(key)
      if (!data) return unwritten.get(key)
      const { entry, session: writer } = fromBytes(data)
      return { entry, before: writer !== session }
    },
    put(key, entry) {
      if (writable)
        try {
          made().append(key, toBytes({ entry, session }))
          return
        } catch (error) {
          cannotWrite(error)
        }
      unwritten.put(key, entry)
    },
    async *entries() {
      const whole = log()
      for (const key of [...(whole?.keys() ?? [])].sort()) {
        const data = whole?.get(key)
        if (data) yield { key, entry: fromBytes(data).entry }
      }
    },
    async close() {
      const damaged = opened()?.damaged() ?? 0
      if (damaged > 0)
        warn(
          `${file}: ${damaged} damaged ${damaged === 1 ? 'entry was' : 'entries were'} left out; such calls are made again`,
        )
      try {
        opened()?.close()
      } catch (error) {
        cannotWrite(error)
      }
    },
  }
}

interface OpenedLog {
  readonly file: string
  readonly opened: () => RecordLog | undefined
  /** The log, as soon as there is one: another process may make it. */
  readonly log: () => RecordLog | undefined
  /** The log, made where there is none. Throws what the file system throws. */
  readonly made: () => RecordLog
}

/** Opens the log of a folder. Where there is none yet, only that there can be one is tried: a command that keeps no call leaves nothing behind. */
function open(folder: string, warn: (line: string) => void): OpenedLog {
  const file = join(folder, 'calls.log')
  const earlier = join(folder, 'calls.lmdb')
  let log: RecordLog | undefined
  try {
    if (existsSync(file)) log = openRecordLog(file)
    else tryFolder(folder)
  } catch (error) {
    throw new UserError(
      `${file}: cannot open the call cache: ${messageOf(error)}; name another folder or use --no-cache`,
    )
  }
  if (existsSync(earlier) && !log)
    warn(
      `${earlier}: is the call cache of an earlier version and is not read; export it with that version ("gembench cache export FILE") and import it with this one, or remove it`,
    )
  return {
    file,
    opened: () => log,
    log() {
      try {
        if (!log && existsSync(file)) log = openRecordLog(file)
      } catch {
        // the next entry that is put in meets the same, and then it is said
      }
      return log
    },
    made() {
      if (log) return log
      makeFolder(folder)
      return (log = openRecordLog(file))
    },
  }
}

/** Throws what the file system throws where nothing can be made at this path: tried above it, under a name that no other process takes. */
function tryFolder(folder: string): void {
  let place = folder
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  rmdirSync(mkdtempSync(join(place, '.gembench-')))
}
