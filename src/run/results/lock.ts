import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { failureOf, UserError } from '../../errors.ts'

/** The text of the lock of each folder, and until when a check of it is good: no takeover is so quick. */
const locks = new Map<string, { readonly text: string; checkedUntil: number }>()
const checkInterval = 100

/**
 * Locks a results folder until the returned function is called. A thread touches the lock file twice a second; a lock
 * that is not touched for `silence` milliseconds is replaced. No clocks are compared, since those of two hosts differ.
 * Throws UserError if another process has the lock.
 */
export async function lockFolder(folder: string, silence = 10_000): Promise<() => Promise<void>> {
  const file = join(folder, '.lock')
  const text = `${process.pid} ${randomUUID()}`
  for (;;) {
    attempt(file, () => mkdirSync(folder, { recursive: true }))
    attempt(file, () => writeFileSync(file, text, { flag: 'wx' }))
    const state = stateOf(file)
    if (state?.startsWith(text)) break
    if (state === undefined) continue
    for (let elapsedMs = 0; elapsedMs < silence; elapsedMs += checkInterval) {
      await sleep(checkInterval)
      if (stateOf(file) !== state)
        throw new UserError(
          `${folder}: process ${Number.parseInt(state, 10)} is writing to this folder; wait until it ends, or name another folder with --results`,
        )
    }
    attempt(file, () => writeFileSync(file, text))
    // another process may do the same at this moment: the last one has the lock
    await sleep(2 * checkInterval)
  }
  locks.set(resolve(folder), { text, checkedUntil: performance.now() + checkInterval })
  const heartbeat = new Worker(new URL('./heartbeat-thread.js', import.meta.url), { workerData: { file, text } })
  heartbeat.unref()
  return async () => {
    await heartbeat.terminate()
    if (!stateOf(file)?.startsWith(text)) return
    locks.delete(resolve(folder))
    rmSync(file)
  }
}

/** Throws UserError if another process has taken over the lock of this one. Called before each write. */
export function requireLock(folder: string) {
  const lock = locks.get(resolve(folder))
  if (!lock || performance.now() < lock.checkedUntil) return
  if (!stateOf(join(folder, '.lock'))?.startsWith(lock.text))
    throw new UserError(`${folder}: another process took this folder over, or removed its lock; run the command again`)
  lock.checkedUntil = performance.now() + checkInterval
}

/** The text of a lock, and when it was touched last; undefined where there is none. */
const stateOf = (file: string) => attempt(file, () => `${readFileSync(file, 'utf8')} ${statSync(file).mtimeMs}`)

/** What a step returns; undefined if the file exists, or if another process has just removed it or the folder. */
function attempt<T>(file: string, step: () => T): T | undefined {
  try {
    return step()
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw failureOf(`${file}: cannot be written`, error, '; name another folder with --results')
  }
}
