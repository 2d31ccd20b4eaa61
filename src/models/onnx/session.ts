import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { cannotLoad, resolveOptional } from '../../basics/loading.ts'

/** A batch: ids of tokens and which are no padding, row after row; `length` is that of a row, padding included. */
export interface Batch {
  readonly ids: BigInt64Array
  readonly mask: BigInt64Array
  readonly rows: number
  readonly length: number
}

/** An ONNX model, opened. Batches may be given at once. */
export interface Session {
  /** Takes a batch, which moves to another thread, and the name of an output; gives its numbers. */
  run(batch: Batch, output: string): Promise<Float32Array>
  close(): Promise<void>
}

export interface ModelFile {
  readonly graph: Uint8Array
  /** What the graph calls `weights`; copied for each thread, unless their memory is shared. */
  readonly weights: Uint8Array
}

/** Each holds the model in memory. */
const mostSessions = 2

/** Opens a model more than once: threads of one batch wait for each other. Throws UserError without the runtime. */
export async function openSession(file: ModelFile): Promise<Session> {
  const threads = availableParallelism()
  const count = Math.min(mostSessions, threads)
  const sessions = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const session = await openThread({ ...file, threads: Math.floor((threads + index) / count) })
      return { session, tokens: 0 }
    }),
  )
  return {
    async run(batch, output) {
      const least = sessions.reduce((best, one) => (one.tokens < best.tokens ? one : best))
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

const onnxruntime = { kind: 'minilm', package: 'onnxruntime-node', version: '1.30.0' }

/** The file of the runtime. Throws UserError with the command that installs it where it is not there. */
export const resolveRuntime = (): string => resolveOptional(onnxruntime)

interface Request {
  readonly resolve: (numbers: Float32Array) => void
  readonly reject: (error: Error) => void
}

/** What the thread replies: once when it has opened the model, and then to each request, in their order. */
type Reply = { readonly numbers: Float32Array } | { readonly error: string }

/** Opens a model in a thread of its own, so that this thread can prepare the next texts meanwhile. */
async function openThread(file: ModelFile & { readonly threads: number }): Promise<Session> {
  const thread = new Worker(new URL('./onnx-thread.js', import.meta.url), {
    workerData: { ...file, runtime: resolveRuntime() },
    execArgv: [],
  })
  const requests: Request[] = []
  let isLoaded = false
  let ended: Error | undefined
  const reply = (): Promise<Float32Array> =>
    new Promise((resolve, reject) => {
      if (ended) reject(ended)
      else requests.push({ resolve, reject })
      // the process lives as long as something is waited for
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
    ended ??= error
    for (const { reject } of requests.splice(0)) reject(error)
  }
  // before it has replied once, it has only loaded the runtime
  thread.on('error', (error) => end(isLoaded ? error : cannotLoad(onnxruntime, error)))
  thread.on('exit', () => end(new Error('the thread of the model has ended')))

  await reply()
  return {
    run({ ids, mask, ...rest }, output) {
      thread.postMessage({ ids, mask, ...rest, output }, [ids.buffer as ArrayBuffer, mask.buffer as ArrayBuffer])
      return reply()
    },
    async close() {
      // where it is ended while it computes, the runtime ends the process with an exception of its own
      thread.postMessage('stop')
      await reply().catch(() => undefined)
      await thread.terminate()
    },
  }
}
