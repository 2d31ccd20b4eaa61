import { AsyncLocalStorage } from 'node:async_hooks'
import { placedMessageOf, placeOf } from '../plug-ins/place-of-error.ts'
import { areStraysHeard, tellStray } from './strays.ts'

/** A call of a stranger's function. */
export interface Call {
  /** `index()`, as it stands in messages. */
  readonly doing: string
  /** Makes the call fail, whatever it does afterwards. */
  fail(error: unknown): void
}

const current = new AsyncLocalStorage<Call>()
const underWay = new Set<Call>()

/** Runs a stranger's code; what it, its timers and its promises do is known as that call's. The call is under way until `end`. */
export function begin<T>(call: Call, work: () => Promise<T>): Promise<T> {
  watchProcess()
  underWay.add(call)
  return current.run(call, work)
}

/** Says that nobody waits for a call any more. */
export const end = (call: Call): void => void underWay.delete(call)

let watching = false

/** What would end this process, or change it for others, fails the call that does it. */
function watchProcess(): void {
  if (watching) return
  watching = true
  process.on('unhandledRejection', onStray)
  process.on('uncaughtException', onStray)
  for (const name of ['exit', 'reallyExit', 'abort', 'chdir'] as const) forbid(name, () => true)
  const own = (pid: unknown): boolean => pid === process.pid || pid === process.ppid || Number(pid) <= 0
  forbid('kill', (pid, signal) => own(pid) && signal !== 0)
}

/** Replaces a function of the process: it throws where a stranger calls it, and is as before for everyone else. */
function forbid(
  name: 'exit' | 'reallyExit' | 'abort' | 'chdir' | 'kill',
  isForbidden: (...args: unknown[]) => boolean,
) {
  const functions = process as unknown as Record<string, (...args: unknown[]) => unknown>
  const original = functions[name]?.bind(process)
  functions[name] = (...args) => {
    const call = current.getStore()
    if (!call || !isForbidden(...args)) return original?.(...args)
    const error = new Error(`${call.doing} called process.${name}()`)
    call.fail(error)
    throw error
  }
}

/** An error that nobody caught. It fails the call that it belongs to; after that call, it is counted; and it ends the process where it is none of a stranger. */
function onStray(error: unknown): void {
  const [only, ...others] = underWay
  const call = current.getStore() ?? (placeOf(error) !== undefined && others.length === 0 ? only : undefined)
  if (call && underWay.has(call)) {
    call.fail(error)
  } else if (call || (areStraysHeard() && placeOf(error) !== undefined)) {
    tellStray(
      `failed outside every call${call ? `, after ${call.doing}` : ''}: ${placedMessageOf(error)}; no row is changed`,
    )
  } else {
    process.off('unhandledRejection', onStray)
    process.off('uncaughtException', onStray)
    throw error
  }
}
