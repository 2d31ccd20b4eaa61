import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { link, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { z, type ZodType } from 'zod'
import { cannotWrite, makeFolder, readRegular, regularFile } from '../../basics/files.ts'
import { messageOf, UserError } from '../../errors.ts'

/** Who holds a lock, as its file says. `token` is unique: no two locks have the same. */
interface Holder {
  readonly pid: number
  readonly token: string
  /** Where the numbers of its processes hold; absent in a lock of an earlier version. */
  readonly place?: Place
  /** When it began, in ticks of the kernel's clock; absent where the system does not say. */
  readonly start?: string
}

/** A name space of process numbers: a container has one of its own, on the kernel of its host. */
interface Place {
  readonly host: string
  readonly boot: string
  readonly space: string
}

/** A lock as it was found, with the text of its file, which its holder changes as long as it lives. */
interface Found extends Holder {
  readonly file: string
  readonly text: string
}

type Warn = (line: string) => void

/** What a person can do where a results folder cannot be made or written. */
export const elsewhere = 'name another folder with --results'

/** The locks that this process holds: another lock with its number is left from an earlier process. */
const held = new Set<string>()
/** The last lock of this process on each folder, where it has not been released. */
const claims = new Map<string, Claim>()

/**
 * Holds a results folder for this process until the returned function is called. Throws UserError when another process
 * holds it, here or elsewhere; the lock of one that has ended is taken over. `silence`: milliseconds after which one
 * that cannot be asked, and has not renewed its lock, counts as ended; `warn` is told that such a one is waited for.
 *
 * A lock file is made whole and at once; from then on only its holder changes a number in it. The lock of a dead
 * process with token T is succeeded by `.lock.T`, which only one process can make; the last of a chain is the lock in
 * force.
 */
export async function lockFolder(
  folder: string,
  silence = 30_000,
  warn: Warn = () => undefined,
): Promise<() => Promise<void>> {
  makeFolder(folder)
  for (;;) {
    const claim = await tryClaim(folder, silence, warn)
    if (!claim) continue
    const stopRenewing = renew(claim)
    claims.set(resolve(folder), claim)
    return async () => {
      await stopRenewing()
      held.delete(claim.token)
      // what stands there is another one's
      if (!isInForce(folder, claim)) return
      claims.delete(resolve(folder))
      await removeLocks(folder)
    }
  }
}

/** Throws UserError where another process has taken over a folder that this one held. Called before each write. */
export function refuseLost(folder: string): void {
  const claim = claims.get(resolve(folder))
  if (!claim || isInForce(folder, claim)) return
  throw new UserError(
    `${folder}: the lock of this process is gone: it stood still for so long that another one took the folder over, or the lock was removed; nothing more is written there, and what was stays: run the same command again when the other has ended`,
  )
}

/** Whether a lock is there and has no successor. */
function isInForce(folder: string, { file, token }: Claim): boolean {
  if (existsSync(join(folder, nameAfter({ token })))) return false
  try {
    return readFileSync(file, 'utf8').includes(token)
  } catch (error) {
    // what cannot be read may be there
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

type Claim = Pick<Found, 'file' | 'token' | 'text'>

/** The lock that was taken; undefined where the chain must be read again. Throws UserError where it is held. */
async function tryClaim(folder: string, silence: number, warn: Warn): Promise<Claim | undefined> {
  const chain = await chainOf(folder)
  const last = chain.at(-1)
  if (last && !isHere(last))
    warn(
      `${folder}: locked in another container or on another host; waiting up to ${silence / 1000} seconds to see whether its run goes on`,
    )
  if (last && (isHere(last) ? isAlive(last) : await isRenewed(last, silence))) {
    // it was made, or released, while it was waited for
    if (!isHere(last) && (last.text === '' || !regularFile(last.file))) return undefined
    throw new UserError(
      `${folder}: process ${last.pid}${isHere(last) ? '' : ` of ${last.place?.host ?? 'another host'}`} is writing to this folder; ` +
        'wait until it ends, or choose another folder with --results ' +
        `(if that process is not gembench, remove ${join(folder, '.lock*')})`,
    )
  }
  const token = randomBytes(8).toString('hex')
  held.add(token)
  const start = startOf(process.pid)
  const file = join(folder, nameAfter(last))
  const holder = { pid: process.pid, token, place, ...(start !== undefined && { start }) }
  const text = JSON.stringify({ ...holder, renewed: firstNumber })
  const made = await makeWhole(folder, { file, token, text })
  // where the chain was released meanwhile, its first lock is gone, and what was made belongs to no chain
  const first = chain[0]
  const standing = !first || (await read(folder, []))?.token === first.token
  if (made && standing) return { file, token, text }
  held.delete(token)
  if (made) await rm(file, { force: true })
  return undefined
}

/** The locks from the first to the one in force; none where the folder is free. */
async function chainOf(folder: string): Promise<readonly Found[]> {
  const chain: Found[] = []
  for (;;) {
    const next = await read(folder, chain)
    if (!next) return chain
    chain.push(next)
  }
}

/** The first lock goes first: until then nobody can begin a new chain, and afterwards nobody can join the old one. */
async function removeLocks(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^\.lock(\.[0-9a-f]+)?$/.test(name)).sort()
  for (const name of names) await rm(join(folder, name), { force: true })
}

const nameAfter = (before: Pick<Holder, 'token'> | undefined): string => (before ? `.lock.${before.token}` : '.lock')

/** Makes a file with its content in one step; false where there is one already. */
async function makeWhole(folder: string, { file, token, text }: Claim): Promise<boolean> {
  const part = join(folder, `.part.${token}`)
  await writeFile(part, text, { flag: 'wx' }).catch((error: unknown) => {
    throw new UserError(`${folder}: cannot be written (${messageOf(error)}); ${elsewhere}`, { cause: error })
  })
  const isThere = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST'
  try {
    await link(part, file)
    return true
  } catch (error) {
    if (isThere(error)) return false
    if (!linkless.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await rm(part, { force: true })
  }
  // without a link, too, only one process can make the file, which is empty for a moment
  return writeFile(file, text, { flag: 'wx' }).then(
    () => true,
    (error: unknown) => {
      if (isThere(error)) return false
      throw cannotWrite(file, error)
    },
  )
}

/** What is said where a file system has no hard links, as exFAT and some shares. */
const linkless: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/** The lock that follows a chain; one of an earlier version, or damaged, has a token by place. */
async function read(folder: string, chain: readonly Found[]): Promise<Found | undefined> {
  const file = join(folder, nameAfter(chain.at(-1)))
  const text = await readRegular(file)
  if (text === undefined) return undefined
  const unknown = { file, text, token: '0'.repeat(chain.length + 1) }
  // one that is being made
  if (text === '') return { ...unknown, pid: 0, place: { host: 'another host', boot: '', space: '' } }
  try {
    const { data } = holderForm.safeParse(JSON.parse(text))
    if (data) return { file, text, ...data }
  } catch {
    // not ours: as a lock of a process that has ended
  }
  return { ...unknown, pid: Number(text) || 0 }
}

const holderForm: ZodType<Holder> = z.object({
  pid: z.number(),
  token: z.string().regex(/^[0-9a-f]+$/),
  place: z.object({ host: z.string(), boot: z.string(), space: z.string() }).exactOptional(),
  start: z.string().exactOptional(),
})

/** What Linux says in a file; empty elsewhere. */
function said(read: () => string): string {
  try {
    return read().trim()
  } catch {
    return ''
  }
}

const place: Place = {
  host: hostname(),
  boot: said(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
  space: said(() => readlinkSync('/proc/self/ns/pid')),
}

/** When a process began: the 22nd field, counted behind the name; undefined where the system does not say. */
const startOf = (pid: number): string | undefined =>
  said(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
    .replace(/^.*\)/s, '')
    .trim()
    .split(' ')[19]

const isHere = ({ place: other = place }: Holder): boolean =>
  other.boot === place.boot && other.space === place.space && other.host === place.host

function isAlive({ pid, token, start }: Holder): boolean {
  if (pid === process.pid) return held.has(token)
  const now = startOf(pid)
  return isRunning(pid) && (start === undefined || now === undefined || now === start)
}

/** Whether a lock changes while it is waited for, or goes: no clock is asked, since those of two hosts differ. */
async function isRenewed({ file, text }: Found, silence: number): Promise<boolean> {
  for (const until = performance.now() + silence; performance.now() < until;) {
    await sleep(100)
    if ((await readRegular(file)) !== text) return true
  }
  return false
}

/** Changes the number in a lock from a thread of its own, until the returned function is called. */
function renew({ file, token, text }: Claim): () => Promise<unknown> {
  const thread = new Worker(renewing, { eval: true, workerData: { file, token, text, firstNumber }, stdin: false })
  thread.unref()
  // where it cannot be renewed, processes elsewhere take it over; those here ask for the process
  thread.on('error', () => undefined)
  return () => thread.terminate()
}

/** All of one length, so that no reader meets half of one. */
const firstNumber = '0000000000'

/** The thread: it writes into its own lock alone, and no more once that is gone. */
const renewing = `
const { workerData: { file, token, text, firstNumber } } = require('node:worker_threads')
const { closeSync, openSync, readFileSync, writeSync } = require('node:fs')
let count = 0
const timer = setInterval(() => {
  let lock
  try {
    lock = openSync(file, 'r+')
    if (!readFileSync(lock, 'utf8').includes(token)) return clearInterval(timer)
    const number = String(++count).padStart(firstNumber.length, '0')
    writeSync(lock, text.replace('"renewed":"' + firstNumber, '"renewed":"' + number), 0)
  } catch (error) {
    if (error.code === 'ENOENT') clearInterval(timer)
  } finally {
    if (lock !== undefined) closeSync(lock)
  }
}, 2000)`

function isRunning(pid: number): boolean {
  if (pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
