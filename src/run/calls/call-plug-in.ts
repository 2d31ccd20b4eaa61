import pLimit from 'p-limit'
import { messageOf } from '../../errors.ts'
import { describe } from '../../text/shape-faults.ts'
import { lineId } from '../results/identity.ts'
import { functionOf, known, report, tooLong, type Begun } from './supervision.ts'
import { AsyncLocalStorage } from 'node:async_hooks'
import { placedMessageOf, placeOf } from '../plug-ins/place-of-error.ts'
import type { Models } from '../../types.ts'

/** Which function of a plug-in is called, and how long it may take; `of` tells the call from every other one of that function in a run. */
export interface PlugInCall extends Omit<Begun, 'begins'> {
  readonly of: readonly (string | number)[]
  /** Raised when the run is ended: then nobody waits for the call any more. */
  readonly ended?: AbortSignal | undefined
}

/** Errors that keep their kind, such as that of a call to a model. */
const ours = new WeakSet<object>()

/** Marks an error that keeps its kind when a plug-in's function throws it; returns it. */
export function keepKind(error: unknown): unknown {
  if (error instanceof Error) ours.add(error)
  return error
}

/** In turn where a supervisor does not know which of several calls has blocked the process. */
const inTurn = pLimit(1)

/**
 * Calls a plug-in's function. Throws an Error with one line whatever it throws, where it does not end in time, where it would end the
 * process, and where a promise of its fails that nobody awaits; and what the models given to it throw. `signal` is raised when it has
 * failed while its code may still go on.
 */
export function callPlugIn<T>(call: PlugInCall, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return known.oneAtATime ? inTurn(() => callNow(call, work)) : callNow(call, work)
}

async function callNow<T>({ of, ended, ...called }: PlugInCall, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { whose, doing } = called
  const key = lineId(whose, doing, ...of)
  const before = known.failed[key] ?? known.withdrawn[functionOf(called)]
  if (before !== undefined) throw new Error(before)
  ended?.throwIfAborted()
  const { promise: failed, reject } = withReject()
  const withdrawal = new AbortController()
  const fail = (error: unknown): void => {
    withdrawal.abort(error)
    reject(error)
  }
  const stop = (): void => fail(ended?.reason)
  const call: Call = { doing, fail }
  ended?.addEventListener('abort', stop)
  const timer = setTimeout(() => fail(new Error(tooLong(called))), called.seconds * 1000)
  report({ begins: key, ...called })
  try {
    return await Promise.race([begin(call, async () => work(withdrawal.signal)), failed])
  } catch (error) {
    withdrawal.abort(error)
    throw plainError(error, doing)
  } finally {
    end(call)
    ended?.removeEventListener('abort', stop)
    clearTimeout(timer)
    report({ ends: key })
  }
}

function withReject(): { readonly promise: Promise<never>; readonly reject: (error: unknown) => void } {
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<never>((_, refuse) => (reject = refuse))
  promise.catch(() => undefined)
  return { promise, reject }
}

/** What was thrown as an error that is safe to read; its stack tells the place in the plug-in's file. */
function plainError(error: unknown, doing: string): Error {
  if (typeof error === 'object' && error !== null && ours.has(error)) return error as Error
  const plain = new Error(wordsOf(error, doing))
  plain.stack = stackOf(error)
  return plain
}

function wordsOf(error: unknown, doing: string): string {
  try {
    if (!(error instanceof Error)) return typeof error === 'string' ? error : `${doing} threw ${describe(error)}`
    const words = messageOf(error)
    if (words === '') return `${doing} threw an error without a message`
    return error instanceof TypeError && isRefusedWrite(words)
      ? `${doing} changed what it was given, or another frozen object: ${words}`
      : words
  } catch {
    return `${doing} threw an error that cannot be read`
  }
}

/** Whether V8 says that an object is frozen. */
const isRefusedWrite = (words: string): boolean =>
  /^Cannot (assign to read only|delete|redefine|define|add) property|is not extensible/.test(words)

function stackOf(error: unknown): string {
  try {
    const { stack } = error as { readonly stack?: unknown }
    return typeof stack === 'string' ? stack : ''
  } catch {
    return ''
  }
}

/** A call of a plug-in's function. */
interface Call {
  /** `index()`, as it stands in messages. */
  readonly doing: string
  /** Makes the call fail, whatever it does afterwards. */
  fail(error: unknown): void
}

const current = new AsyncLocalStorage<Call>()
const underWay = new Set<Call>()

/** Runs a plug-in's code; what it, its timers and its promises do is known as that call's. The call is under way until `end`. */
function begin<T>(call: Call, work: () => Promise<T>): Promise<T> {
  watchProcess()
  underWay.add(call)
  return current.run(call, work)
}

/** Says that nobody waits for a call any more. */
const end = (call: Call): void => void underWay.delete(call)

let watching = false

/** What would end this process, or change it for others, fails the call that does it. */
function watchProcess(): void {
  if (watching) return
  watching = true
  process.on('unhandledRejection', onUncaughtError)
  process.on('uncaughtException', onUncaughtError)
  for (const name of ['exit', 'reallyExit', 'abort', 'chdir'] as const) forbid(name, () => true)
  const own = (pid: unknown): boolean => pid === process.pid || pid === process.ppid || Number(pid) <= 0
  forbid('kill', (pid, signal) => own(pid) && signal !== 0)
}

/** Replaces a function of the process: it throws where a plug-in calls it, and is as before for everyone else. */
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

/** An error that nobody caught. It fails the call that it belongs to; after that call, it is counted; and it ends the process where it is of no plug-in. */
function onUncaughtError(error: unknown): void {
  const [only, ...others] = underWay
  const call = current.getStore() ?? (placeOf(error) !== undefined && others.length === 0 ? only : undefined)
  if (call && underWay.has(call)) {
    call.fail(error)
  } else if (call || (hasListener() && placeOf(error) !== undefined)) {
    reportError(
      `failed outside every call${call ? `, after ${call.doing}` : ''}: ${placedMessageOf(error)}; no row is changed`,
    )
  } else {
    process.off('unhandledRejection', onUncaughtError)
    process.off('uncaughtException', onUncaughtError)
    throw error
  }
}

/** Is told of errors that plug-ins throw outside every call. */
type Listener = (line: string) => void

const listeners: Listener[] = []
let count = 0

/** From now on `listener` is told of errors outside every call, until the returned function is called; then the one before it. */
export function listenForErrors(listener: Listener): () => void {
  listeners.push(listener)
  return () => void listeners.splice(listeners.lastIndexOf(listener), 1)
}

/** Whether there is a listener: only then may an error be taken for a plug-in's by its place alone. */
const hasListener = (): boolean => listeners.length > 0

/** Counts an error, and tells it to the listener, else as a warning of the process. */
export function reportError(line: string): void {
  count++
  const listener = listeners.at(-1) ?? ((text: string) => process.emitWarning(text))
  listener(line)
}

/** Errors so far that plug-ins' code threw outside every call; no row is changed by them. */
export const countErrors = (): number => count

/**
 * The models as a plug-in's function gets them: what it writes to them or to their vectors changes nothing for others, their errors keep
 * their kind, and a function that has failed but goes on makes no more calls.
 */
export function modelsForPlugIn(models: Models, signal: AbortSignal): Models {
  const keptKind = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (error) {
      throw keepKind(error)
    }
  }
  const call = <T>(make: () => Promise<T>): Promise<T> =>
    signal.aborted ? Promise.reject(new Error('the function that asks has failed already')) : keptKind(make())
  const copies = (vectors: readonly Float32Array[]): readonly Float32Array[] => vectors.map((one) => one.slice())
  return Object.freeze({
    ...models,
    signal,
    run: (task, input) => call(() => models.run(task, input)),
    embed: async (texts, role) => copies(await call(() => models.embed(texts.slice(), role))),
    embedTokens: async (text, layer) => copies(await call(() => models.embedTokens(text, layer))),
  } satisfies Models)
}
