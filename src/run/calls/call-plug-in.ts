import type { Models } from '../../types.ts'
import { plainError } from './plain-error.ts'

/** A call of a plug-in: the function (`index()`), its time limit, and the config key of the limit. */
export interface PlugInCall {
  readonly doing: string
  readonly seconds: number
  readonly limit: string
  /** Raised when the run ends: then the call is abandoned. */
  readonly signal?: AbortSignal | undefined
}

/** The time limit of a dataset's functions: the default of a method's. */
export const ofDataset = { seconds: 600, limit: 'the limit of a dataset' }

/** Errors that keep their kind, such as that of a call to a model. */
const modelErrors = new WeakSet<object>()

/** Marks an error that keeps its kind when a plug-in's function throws it; returns it. */
export function markError(error: unknown): unknown {
  if (error instanceof Error) modelErrors.add(error)
  return error
}

/** Calls a plug-in. Throws an Error with one line, also where it takes too long; `signal` is raised when it failed. */
export async function callPlugIn<T>(
  { doing, seconds, limit, signal: runSignal }: PlugInCall,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  runSignal?.throwIfAborted()
  const withdrawal = new AbortController()
  let refuse: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_, reject) => (refuse = reject))
  const fail = (error: unknown): void => {
    withdrawal.abort(error)
    refuse(error)
  }
  const stop = (): void => fail(runSignal?.reason)
  runSignal?.addEventListener('abort', stop)
  const late = (): void => fail(new Error(`${doing} did not end within ${seconds} s (${limit})`))
  const timer = setTimeout(late, seconds * 1000)
  try {
    return await Promise.race([(async () => work(withdrawal.signal))(), failed])
  } catch (error) {
    withdrawal.abort(error)
    if (typeof error === 'object' && error !== null && modelErrors.has(error)) throw error as Error
    throw plainError(error, doing)
  } finally {
    runSignal?.removeEventListener('abort', stop)
    clearTimeout(timer)
  }
}

/** The same with guarded models. */
export const callWith = <T>(models: Models, call: PlugInCall, work: (proxy: Models) => Promise<T>): Promise<T> =>
  callPlugIn(call, (signal) => work(modelsForPlugIn(models, signal)))

type Listener = (line: string) => void

const listeners: Listener[] = []
let count = 0

/** Tells `listener` of errors outside every call, until the returned function is called. */
export function listenForErrors(listener: Listener): () => void {
  listeners.push(listener)
  return () => void listeners.splice(listeners.lastIndexOf(listener), 1)
}

/** Counts an error and reports it to the listener, else as a warning of the process. */
export function reportError(line: string): void {
  count++
  const listener = listeners.at(-1) ?? ((text: string) => process.emitWarning(text))
  listener(line)
}

/** Errors so far that plug-ins' code threw outside every call; no row is changed by them. */
export const countErrors = (): number => count

/** The models as a plug-in gets them: it cannot change them; `signal` is raised when the call is abandoned. */
function modelsForPlugIn(models: Models, signal: AbortSignal): Models {
  const keepErrorKind = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call
    } catch (error) {
      throw markError(error)
    }
  }
  const copies = (vectors: readonly Float32Array[]): readonly Float32Array[] => vectors.map((vector) => vector.slice())
  const { rerank, cached: _, ...rest } = models
  return Object.freeze({
    ...rest,
    signal,
    run: (task, input) => keepErrorKind(models.run(task, input)),
    embed: async (texts, role) => copies(await keepErrorKind(models.embed(texts.slice(), role))),
    embedTokens: async (text) => copies(await keepErrorKind(models.embedTokens(text))),
    ...(rerank && {
      rerank: (question: string, texts: readonly string[]) => keepErrorKind(rerank(question, texts.slice())),
    }),
  } satisfies Models)
}
