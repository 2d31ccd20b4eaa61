import { ModelError, UsageLimitError, UserError } from '../../errors.ts'
import type { Models } from '../../types.ts'
import { plainError } from './plug-in-errors.ts'

/** A call of a plug-in: the function (`index()`), its time limit, and the config key of the limit. */
export interface PlugInCall {
  readonly doing: string
  readonly seconds: number
  readonly limit: string
  /** Raised when the run ends: then the call is abandoned. */
  readonly signal?: AbortSignal | undefined
  /** A UserError is thrown as it is. */
  readonly keepsUserErrors?: true
}

/**
 * Calls a plug-in. Throws an Error with one line, also where it takes too long; errors of models stay as they are. The
 * signal is raised when the call failed.
 */
export async function callPlugIn<T>(
  { doing, seconds, limit, signal: runSignal, keepsUserErrors }: PlugInCall,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  runSignal?.throwIfAborted()
  const call = new AbortController()
  const { signal } = call
  const stop = () => call.abort(runSignal?.reason)
  runSignal?.addEventListener('abort', stop)
  const late = () => call.abort(new Error(`${doing} did not end within ${seconds} s (${limit})`))
  const timer = setTimeout(late, seconds * 1000)
  const failed = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  )
  try {
    return await Promise.race([(async () => work(signal))(), failed])
  } catch (error) {
    call.abort(error)
    if (keepsItsKind(error) || error === runSignal?.reason) throw error
    if (keepsUserErrors && error instanceof UserError) throw error
    throw plainError(error, doing)
  } finally {
    runSignal?.removeEventListener('abort', stop)
    clearTimeout(timer)
  }
}

const keepsItsKind = (error: unknown) =>
  error instanceof ModelError ||
  error instanceof UsageLimitError ||
  (error instanceof Error && error.name === 'AbortError')

/** The same with models whose signal is raised when the call is abandoned; vectors are copies. */
export const callWith = <T>(models: Models, call: PlugInCall, work: (models: Models) => Promise<T>): Promise<T> =>
  callPlugIn(call, (signal) =>
    work({
      ...models,
      signal,
      embed: async (texts, role) => copies(await models.embed(texts, role)),
      embedTokens: async (text) => copies(await models.embedTokens(text)),
    }),
  )

const copies = (vectors: readonly Float32Array[]) => vectors.map((vector) => vector.slice())

let report = (line: string) => process.emitWarning(line)
let count = 0

/** Tells `listener` of errors outside every call. */
export function listenForErrors(listener: (line: string) => void) {
  report = listener
}

/** Counts an error and reports it to the listener, else as a warning of the process. */
export function reportError(line: string) {
  count++
  report(line)
}

/** Errors so far that plug-ins' code threw outside every call; no row is changed by them. */
export const countErrors = (): number => count
