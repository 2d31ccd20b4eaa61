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

interface Waiting {
  readonly resolve: (numbers: Float32Array) => void
  readonly reject: (error: Error) => void
}

/** What the thread says: of itself when it has opened the model (id 0), and of each batch. */
type Said = { readonly id: number } & ({ readonly numbers: Float32Array } | { readonly error: string })

const onnxruntime = { kind: 'minilm', package: 'onnxruntime-node', version: '1.30.0' }

/** The file of the runtime. Throws UserError with the command that installs it where it is not there. */
export const resolveRuntime = (): string => resolveOptional(onnxruntime)

/** Opens a model in a thread of its own, so that this thread can prepare the next texts meanwhile. */
async function openThread(file: ModelFile & { readonly threads: number }): Promise<Session> {
  const runtime = resolveRuntime()
  const thread = new Worker(new URL('./onnx-thread.js', import.meta.url), {
    workerData: { ...file, runtime },
    execArgv: [],
  })
  const waiting = new Map<number, Waiting>()
  let loaded = false
  let ended: Error | undefined
  const ask = (id: number, batch?: 'stop' | (Batch & { readonly output: string })): Promise<Float32Array> =>
    new Promise((resolve, reject) => {
      if (ended) {
        reject(ended)
        return
      }
      waiting.set(id, { resolve, reject })
      // the process lives as long as something is waited for
      thread.ref()
      if (batch === 'stop') thread.postMessage({ id, stop: true })
      else if (batch)
        thread.postMessage({ id, ...batch }, [batch.ids.buffer as ArrayBuffer, batch.mask.buffer as ArrayBuffer])
    })
  thread.on('message', (said: Said) => {
    loaded = true
    const asked = waiting.get(said.id)
    waiting.delete(said.id)
    if (waiting.size === 0) thread.unref()
    if ('error' in said) asked?.reject(new Error(said.error))
    else asked?.resolve(said.numbers)
  })
  const end = (error: Error): void => {
    ended ??= error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  // before it has said anything, it has only loaded the runtime
  thread.on('error', (error) => end(loaded ? error : cannotLoad(onnxruntime, error)))
  thread.on('exit', () => end(new Error('the thread of the model has ended')))

  await ask(0)
  let asked = 0
  return {
    run: (batch, output) => ask(++asked, { ...batch, output }),
    async close() {
      // where it is ended while it computes, the runtime ends the process with an exception of its own
      await ask(++asked, 'stop').catch(() => undefined)
      await thread.terminate()
    },
  }
}
