import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { messageOf, UserError } from '../../errors.ts'

/** Tells processes with equal ids apart: those of other containers, and one that has ended from this one. */
const processSpace = `${hostname()} ${existsSync('/proc/self/ns/pid') ? readlinkSync('/proc/self/ns/pid') : ''}`
const instance = randomUUID()
/** The text of the lock of each folder, and until when a check of it is good: no takeover is so quick. */
const locks = new Map<string, { readonly text: string; checkedUntil: number }>()
const checkInterval = 100

/**
 * Locks a results folder until the returned function is called. A thread touches
 * the lock file twice a second; a lock whose process has ended, or that is not
 * touched for `silence` milliseconds, is replaced. No clocks are compared, since
 * those of two hosts differ. Throws UserError if another process has the lock.
 */
export async function lockFolder(folder: string, silence = 15_000): Promise<() => Promise<void>> {
  const file = join(folder, '.lock')
  const token = randomUUID()
  const text = JSON.stringify({ pid: process.pid, processSpace, instance, token })
  const write = (path: string) => attempt(file, () => writeFileSync(path, text, { flag: 'wx' }))
  for (;;) {
    attempt(file, () => mkdirSync(folder, { recursive: true }))
    if (write(file)) break
    const lock = readLock(file)
    if (!lock) continue
    for (let elapsedMs = 0; elapsedMs < silence && !hasEnded(lock.text); elapsedMs += 100) {
      await sleep(100)
      const { text: textNow, time } = readLock(file) ?? {}
      if (textNow !== lock.text || time !== lock.time)
        throw new UserError(
          `${folder}: process ${pidOf(textNow ?? lock.text)} is writing to this folder; wait until it ends, or name another folder with --results`,
        )
    }
    if (write(`${file}.${token}`)) attempt(file, () => renameSync(`${file}.${token}`, file))
    // another process may do the same at this moment: the last one has the lock
    await sleep(200)
    if (readLock(file)?.text === text) break
  }
  locks.set(resolve(folder), { text, checkedUntil: performance.now() + checkInterval })
  const heartbeat = new Worker(new URL('./heartbeat-thread.js', import.meta.url), { workerData: { file, text } })
  // where it ends, the lock is lost, which is noticed before the next write
  heartbeat.on('error', () => undefined).unref()
  return async () => {
    await heartbeat.terminate()
    if (readLock(file)?.text !== text) return
    locks.delete(resolve(folder))
    rmSync(file)
  }
}

/** Throws UserError if another process has taken over the lock of this one. Called before each write. */
export function requireLock(folder: string) {
  const lock = locks.get(resolve(folder))
  if (!lock || performance.now() < lock.checkedUntil) return
  if (readLock(join(folder, '.lock'))?.text !== lock.text)
    throw new UserError(
      `${folder}: another process took this folder over, or its lock was removed; run the command again`,
    )
  lock.checkedUntil = performance.now() + checkInterval
}

/** Whether a step succeeds. It fails if the file exists, or if another process has just removed the folder. */
function attempt(file: string, step: () => unknown) {
  try {
    step()
    return true
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return false
    throw new UserError(`${file}: cannot be written (${messageOf(error)}); name another folder with --results`)
  }
}

/** Whether the process of a lock is in this process space and has ended. */
function hasEnded(text: string): boolean {
  if (!text.includes(processSpace)) return false
  if (pidOf(text) === process.pid) return !text.includes(instance)
  try {
    return !process.kill(pidOf(text), 0)
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}

function readLock(file: string) {
  try {
    return { text: readFileSync(file, 'utf8'), time: statSync(file).mtimeMs }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const pidOf = (text: string) => Number(/"pid":(\d+)/.exec(text)?.[1])
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''
