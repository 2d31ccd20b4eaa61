import { setFlagsFromString } from 'node:v8'

/** A setting of the engine for many small objects: the heap grows by a quarter between two collections. */
export function tuneEngine(): void {
  setFlagsFromString('--heap-growing-percent=25')
}

/** Registers a process group, to end it with this process. */
export function knowGroup(pid: number): void {
  if (groups.size === 0) process.on('exit', endAll)
  groups.add(pid)
}

/** Unregisters a group that has ended, since its id may be reused. */
export function forgetGroup(pid: number): void {
  if (!groups.delete(pid)) return
  if (groups.size === 0) process.off('exit', endAll)
}

/** Sends a signal to a process group, if it still exists. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // it has ended
  }
}

const endAll = () => groups.forEach((pid) => signalGroup(pid, 'SIGKILL'))

const groups = new Set<number>()
