import { randomBytes } from 'node:crypto'
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder, makeNamedFolder, removeEmptyFolders } from '../../basics/files.ts'
import { messageOf, UserError } from '../../errors.ts'
import { isSupervised } from '../calls/supervision.ts'
import { files } from './journal.ts'
import { readScores, readTrials } from './read-lines.ts'
import { usedCallsFile } from './used-calls.ts'

/** Who holds a lock. `token` is unique: no two locks have the same. */
interface Holder {
  readonly pid: number
  readonly token: string
  /** The process that supervises it: where that one was killed, this one is about to end. */
  readonly supervisor?: number
}

/** What a person can do where a results folder cannot be made or written. */
export const elsewhere = 'name another folder with --results'

/** The locks that this process holds: another lock with its number is left from an earlier process that had the same. */
const held = new Set<string>()

/**
 * Holds a results folder for this process until the returned function is called. Throws UserError when another process holds it; the lock of
 * a process that has ended is taken over.
 *
 * A lock file is made whole and at once (a link to a finished file), and never changed. The lock of a dead process with token T is not
 * removed but succeeded by `.lock.T`, which only one process can make; the last of such a chain is the lock in force.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  makeFolder(folder)
  const until = performance.now() + longestEnding
  for (;;) {
    const claim = await tryClaim(folder, until)
    if (claim) return () => release(folder, claim)
  }
}

/** The token of the lock that was taken; undefined where another process was faster and the chain must be read again. Throws UserError where it is held. */
async function tryClaim(folder: string, until: number): Promise<string | undefined> {
  const chain = await chainOf(folder)
  const last = chain.at(-1)
  if (last && isAlive(last)) {
    if (isEnding(last) && performance.now() < until) {
      await sleep(20)
      return undefined
    }
    throw new UserError(
      `${folder}: process ${last.pid} is writing to this folder; wait until it ends, or choose another folder with --results ` +
        `(if that process is not gembench, remove ${join(folder, '.lock*')})`,
    )
  }
  const token = randomBytes(8).toString('hex')
  held.add(token)
  const made = await makeWhole(folder, nameAfter(last), {
    ...{ pid: process.pid, token },
    ...(isSupervised && { supervisor: process.ppid }),
  })
  // where the chain was released meanwhile, its first lock is gone, and what was made belongs to no chain
  const first = chain[0]
  const standing = !first || (await read(folder, []))?.token === first.token
  if (made && standing) return token
  held.delete(token)
  if (made) await rm(join(folder, nameAfter(last)), { force: true })
  return undefined
}

/** The locks from the first to the one in force; none where the folder is free. */
async function chainOf(folder: string): Promise<readonly Holder[]> {
  const chain: Holder[] = []
  for (;;) {
    const next = await read(folder, chain)
    if (!next) return chain
    chain.push(next)
  }
}

/** The first lock goes first: until then nobody can begin a new chain, and afterwards nobody can join the old one. */
async function release(folder: string, token: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^\.lock(\.[0-9a-f]+)?$/.test(name)).sort()
  for (const name of names) await rm(join(folder, name), { force: true })
  held.delete(token)
}

const nameAfter = (before: Holder | undefined): string => (before ? `.lock.${before.token}` : '.lock')

/** Makes a file with its content in one step; false where there is one already. */
async function makeWhole(folder: string, name: string, holder: Holder): Promise<boolean> {
  const part = join(folder, `.part.${holder.token}`)
  await writeFile(part, JSON.stringify(holder)).catch((error: unknown) => {
    throw new UserError(`${folder}: cannot be written (${messageOf(error)}); ${elsewhere}`, { cause: error })
  })
  try {
    await link(part, join(folder, name))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(part, { force: true })
  }
}

/** The holder of the lock that follows a chain. One of an earlier version holds a process number alone, a damaged one nothing: theirs is a token by place. */
async function read(folder: string, chain: readonly Holder[]): Promise<Holder | undefined> {
  const file = join(folder, nameAfter(chain.at(-1)))
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    const { pid, token, supervisor } = JSON.parse(text) as Partial<Holder>
    if (typeof pid === 'number' && typeof token === 'string' && /^[0-9a-f]+$/.test(token))
      return { pid, token, ...(typeof supervisor === 'number' && { supervisor }) }
  } catch {
    // not ours: as a lock of a process that has ended
  }
  return { pid: Number(text) || 0, token: '0'.repeat(chain.length + 1) }
}

const isAlive = ({ pid, token }: Holder): boolean => (pid === process.pid ? held.has(token) : isRunning(pid))

/** Whether a process lives on only until it hears that its supervisor was killed. */
const isEnding = ({ supervisor }: Holder): boolean => supervisor !== undefined && !isRunning(supervisor)

/** Milliseconds that such a process is waited for: it may be in a long computation. */
const longestEnding = 60_000

function isRunning(pid: number): boolean {
  if (pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Makes and holds a results folder while something works in it. Where that ends with a mistake of a person before a trial was answered, as
 * with the wrong address of a server, and this made the folder, the folder goes again: the mended config has another. Throws as `lockFolder`, and what `work` throws.
 */
export async function inResultsFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const made = makeNamedFolder(folder, elsewhere)
  try {
    const release = await lockFolder(folder)
    try {
      return await work()
    } catch (error) {
      if (made.includes(folder) && error instanceof UserError && (await isUnasked(folder))) await removeBegun(folder)
      throw error
    } finally {
      await release()
    }
  } finally {
    removeEmptyFolders(made)
  }
}

/** Whether a folder holds no trial, no score and no failure: at most what was said of indexes, whose calls are in the cache. */
async function isUnasked(folder: string): Promise<boolean> {
  const { scores } = files(folder)
  try {
    for await (const { line, failure } of readTrials(folder)) if (line === 'trial' || failure) return false
    for await (const _score of readScores(scores)) return false
    return true
  } catch {
    // lines that cannot be read are somebody's
    return false
  }
}

/** Whatever else stands there stays, and the folder with it; so does what cannot be removed: the error that ended the work is the one to tell. */
async function removeBegun(folder: string): Promise<void> {
  for (const file of [...Object.values(files(folder)), join(folder, 'manifest.json'), join(folder, usedCallsFile)])
    await rm(file, { force: true }).catch(() => undefined)
}
