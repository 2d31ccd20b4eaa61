import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { cannotLoad, resolveOptional } from '../../basics/loading.ts'

/** Token ids and mask, row after row; `length` is that of a row, padding included. */
export interface Batch {
  readonly ids: BigInt64Array
  readonly mask: BigInt64Array
  readonly rows: number
  readonly length: number
}

/** An opened ONNX model; runs may overlap. */
export interface Session {
  /** Returns the numbers of a named output; the batch moves to another thread. */
  run(batch: Batch, output: string): Promise<Float32Array>
  close(): Promise<void>
}

export interface ModelFile {
  readonly graph: Uint8Array
  /** External data named `weights` in the graph; copied for each thread unless its memory is shared. */
  readonly weights: Uint8Array
}

/** Sessions per model; each has the model in memory. */
const maxSessions = 2

/** Opens a model in several threads: the threads of one batch wait for each other. Throws UserError without runtime. */
export async function openSession(file: ModelFile, runtime: Runtime = 'native'): Promise<Session> {
  const threads = availableParallelism()
  const count = Math.min(maxSessions, threads)
  const sessions = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const session = await openThread(file, runtime, Math.floor((threads + index) / count))
      return { session, tokens: 0 }
    }),
  )
  return {
    async run(batch, output) {
      const least = sessions.reduce((best, candidate) => (candidate.tokens < best.tokens ? candidate : best))
      const { length } = batch.ids
      least.tokens += length
      try {
        return await least.session.run(batch, output)
      } finally {
        least.tokens -= length
      }
    },
    async close() {
      await Promise.all(sessions.map(({ session }) => session.close()))
    },
  }
}

/** Native code with the widest instructions of the processor, or WebAssembly with fixed ones. */
export type Runtime = keyof typeof runtimes

const runtimes = {
  native: { kind: 'minilm', package: 'onnxruntime-node', version: '1.30.0' },
  portable: { kind: 'minilm', package: 'onnxruntime-web', version: '1.30.0' },
} as const

/** The file of the runtime. Throws UserError with its install command if it is missing. */
export const resolveRuntime = (runtime: Runtime): string => resolveOptional(runtimes[runtime])

interface Request {
  readonly resolve: (numbers: Float32Array) => void
  readonly reject: (error: Error) => void
}

/** A reply of the thread: one after opening the model, then one per request, in order. */
type Reply = { readonly numbers: Float32Array } | { readonly error: string }

/** Opens a model in a thread, so that this one can prepare the next texts. */
async function openThread(file: ModelFile, runtime: Runtime, threads: number): Promise<Session> {
  const thread = new Worker(new URL('./onnx-thread.js', import.meta.url), {
    workerData: { ...file, threads, runtime: resolveRuntime(runtime), isPortable: runtime === 'portable' },
    execArgv: [],
  })
  const requests: Request[] = []
  let isLoaded = false
  let endError: Error | undefined
  const reply = (): Promise<Float32Array> =>
    new Promise((resolve, reject) => {
      if (endError) reject(endError)
      else requests.push({ resolve, reject })
      // keeps the process alive while a request is pending
      thread.ref()
    })
  thread.on('message', (message: Reply) => {
    isLoaded = true
    const request = requests.shift()
    if (requests.length === 0) thread.unref()
    if ('error' in message) request?.reject(new Error(message.error))
    else request?.resolve(message.numbers)
  })
  const end = (error: Error): void => {
    endError ??= error
    for (const { reject } of requests.splice(0)) reject(error)
  }
  // an error before the first reply comes from loading the runtime
  thread.on('error', (error) => end(isLoaded ? error : cannotLoad(runtimes[runtime], error)))
  thread.on('exit', () => end(new Error('the thread of the model has ended')))

  await reply()
  return {
    run({ ids, mask, ...rest }, output) {
      thread.postMessage({ ids, mask, ...rest, output }, [ids.buffer as ArrayBuffer, mask.buffer as ArrayBuffer])
      return reply()
    },
    async close() {
      // terminating the thread during a computation would crash the process
      thread.postMessage('stop')
      await reply().catch(() => undefined)
      await thread.terminate()
    },
  }
}
