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

/** From now on `listener` is told when a group of processes begins and when it has ended. */
export const onGroups = (listener: Listener): void => void (tell = listener)

/** Makes a group known by the id of its first process: it ends with this process. `name`: for messages. */
export function knowGroup(pid: number, name: string): void {
  if (groups.size === 0) process.on('exit', endAll)
  groups.set(pid, name)
  tell({ group: pid, lives: true, name })
}

/** What the groups that live run, each once. */
export const runningNames = (): readonly string[] => [...new Set(groups.values())]

/** Says that a group has ended: its id may soon be that of another one. */
export function forgetGroup(pid: number): void {
  if (!groups.delete(pid)) return
  if (groups.size === 0) process.off('exit', endAll)
  tell({ group: pid, lives: false, name: '' })
}

/** Sends a signal to all processes of a group; one that has ended gets none. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // it has ended
  }
}

const endAll = (): void => groups.forEach((_name, pid) => signalGroup(pid, 'SIGKILL'))

/** A group of processes that must not outlive this one, by the id of its first process, and what it runs. */
export interface Group {
  readonly group: number
  readonly lives: boolean
  readonly name: string
}

type Listener = (group: Group) => void

/** Plug-ins cannot call `process.kill` on a group; this is the function as it was before. */
const kill = process.kill.bind(process)

const groups = new Map<number, string>()
let tell: Listener = () => undefined
