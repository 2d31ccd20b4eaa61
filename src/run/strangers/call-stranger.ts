import pLimit from 'p-limit'
import { messageOf } from '../../errors.ts'
import { describe } from '../../text/shape-faults.ts'
import { lineId } from '../results/identity.ts'
import { begin, end, type Call } from './current-call.ts'
import { functionOf, known, report, tooLong, type Begun } from './supervision.ts'

/** Which function of a stranger is called, and how long it may take; `of` tells the call from every other one of that function in a run. */
export interface StrangerCall extends Omit<Begun, 'begins'> {
  readonly of: readonly (string | number)[]
  /** Raised when the run is ended: then nobody waits for the call any more. */
  readonly ended?: AbortSignal | undefined
}

/** Errors that keep their kind, such as that of a call to a model. */
const ours = new WeakSet<object>()

/** Marks an error that keeps its kind when a stranger's function throws it; returns it. */
export function keepKind(error: unknown): unknown {
  if (error instanceof Error) ours.add(error)
  return error
}

/** In turn where a supervisor does not know which of several calls has blocked the process. */
const inTurn = pLimit(1)

/**
 * Calls a stranger's function. Throws an Error with one line whatever it throws, where it does not end in time, where it would end the
 * process, and where a promise of its fails that nobody awaits; and what the models given to it throw. `signal` is raised when it has
 * failed while its code may still go on.
 */
export function callStranger<T>(stranger: StrangerCall, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return known.oneAtATime ? inTurn(() => callNow(stranger, work)) : callNow(stranger, work)
}

async function callNow<T>(
  { of, ended, ...called }: StrangerCall,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
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

/** What was thrown as an error that is safe to read; its stack tells the place in the stranger's file. */
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
