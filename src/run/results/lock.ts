import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { messageOf, UserError } from '../../errors.ts'

/** The scope in which process ids are unique: a container has a namespace of its own. */
const processSpace = `${hostname()} ${existsSync('/proc/self/ns/pid') ? readlinkSync('/proc/self/ns/pid') : ''}`
const tokensOfProcess = new Set<string>()
/** The token of each locked folder, and when its lock file had it last. */
const locks = new Map<string, { readonly token: string; checkedAt: number }>()

/** Milliseconds that a check of a lock is good for: no takeover is so quick. */
const checkInterval = 100

/**
 * Locks a results folder until the returned function is called. A thread changes the heartbeat in the lock file twice a
 * second; a lock whose process has ended, or without a heartbeat for `silence` milliseconds, is replaced. No
 * clocks are compared, since those of two hosts differ. Throws UserError if another process has the lock.
 */
export async function lockFolder(folder: string, silence = 15_000): Promise<() => Promise<void>> {
  const file = join(folder, '.lock')
  const token = randomUUID()
  const text = JSON.stringify({ pid: process.pid, token, processSpace, heartbeat: '0000000000' })
  tokensOfProcess.add(token)
  for (;;) {
    await attempt(file, () => mkdir(folder, { recursive: true }))
    if (await attempt(file, () => writeFile(file, text, { flag: 'wx' }))) break
    const current = readLock(file)
    if (current === undefined) continue
    if (!hasEnded(current) && (await changesWithin(file, current, silence)))
      throw new UserError(
        `${folder}: process ${pidOf(current)} is writing to this folder; wait until it ends, or name another folder with --results`,
      )
    const replacement = `${file}.${token}`
    await attempt(file, () => writeFile(replacement, text))
    await attempt(file, () => rename(replacement, file))
    // another process may do the same at this moment: the last one has the lock
    await sleep(200)
    if (readLock(file) === text) break
  }
  locks.set(resolve(folder), { token, checkedAt: performance.now() })
  const heartbeat = new Worker(new URL('./heartbeat-thread.js', import.meta.url), { workerData: { file, text } })
  heartbeat.unref()
  return async () => {
    await heartbeat.terminate()
    if (!hasToken(file, token)) return
    locks.delete(resolve(folder))
    await rm(file)
  }
}

/** Throws UserError if another process has taken over the lock of this one. Called before each write. */
export function requireLock(folder: string): void {
  const lock = locks.get(resolve(folder))
  if (lock === undefined || performance.now() - lock.checkedAt < checkInterval) return
  if (!hasToken(join(folder, '.lock'), lock.token))
    throw new UserError(
      `${folder}: another process took this folder over, or its lock was removed; run the command again`,
    )
  lock.checkedAt = performance.now()
}

/** Whether a step succeeds. It fails if the file exists, or if another process has just removed the folder. */
async function attempt(file: string, step: () => Promise<unknown>): Promise<boolean> {
  try {
    await step()
    return true
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return false
    throw new UserError(`${file}: cannot be written (${messageOf(error)}); name another folder with --results`)
  }
}

/** Whether the process of a lock is in this process scope and has ended. */
function hasEnded(text: string): boolean {
  if (!text.includes(processSpace)) return false
  if (pidOf(text) === process.pid) return ![...tokensOfProcess].some((token) => text.includes(token))
  try {
    return !process.kill(pidOf(text), 0)
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}

async function changesWithin(file: string, text: string, milliseconds: number): Promise<boolean> {
  for (let elapsedMs = 0; elapsedMs < milliseconds; elapsedMs += 100) {
    await sleep(100)
    if (readLock(file) !== text) return true
  }
  return false
}

function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const hasToken = (file: string, token: string): boolean => readLock(file)?.includes(token) === true
const pidOf = (text: string): number => Number(/"pid":(\d+)/.exec(text)?.[1])
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''
