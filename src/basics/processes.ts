import { constants, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'

/** How far this process is tuned: not at all where it is another's, which only uses this package. */
let tuned: 'not' | 'usual' | 'beside a model' = 'not'

/**
 * Settings of the engine for many small objects: the heap grows by a quarter between two collections, and functions are
 * compiled by the optimising compiler after six times the usual use.
 */
export function tuneEngine(): void {
  tuned = 'usual'
  growBy(growth.usual)
  setFlagsFromString('--interrupt-budget=400000')
}

/** Beside a model of hundreds of megabytes the heap may treble between two collections. */
export function tuneBesideModel(): void {
  if (tuned !== 'usual') return
  tuned = 'beside a model'
  growBy(growth.besideModel)
  const adapt = (): void => growBy(getHeapStatistics().used_heap_size > largeHeap ? growth.usual : growth.besideModel)
  new PerformanceObserver((list) => {
    if (list.getEntries().some(isMajor)) adapt()
  }).observe({ type: 'gc' })
}

const growBy = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`)

const isMajor = (entry: object): boolean =>
  'detail' in entry && (entry.detail as { readonly kind?: number }).kind === constants.NODE_PERFORMANCE_GC_MAJOR

/** Percent by which the heap grows between two collections. */
const growth = { usual: 25, besideModel: 200 }

/** Bytes in use from which the heap is no longer small beside a model. */
const largeHeap = 192 * 2 ** 20

/** Makes a group of processes known by the id of its first one: it ends with this process. */
export function knowGroup(pid: number): void {
  if (groups.size === 0) process.on('exit', endAll)
  groups.add(pid)
}

/** Says that a group has ended: its id may soon be that of another one. */
export function forgetGroup(pid: number): void {
  if (!groups.delete(pid)) return
  if (groups.size === 0) process.off('exit', endAll)
}

/** Sends a signal to all processes of a group; one that has ended gets none. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // it has ended
  }
}

const endAll = (): void => groups.forEach((pid) => signalGroup(pid, 'SIGKILL'))

const groups = new Set<number>()
