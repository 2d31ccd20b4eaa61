import { Worker } from 'node:worker_threads'
import { cannotLoad, resolveOptional } from '../../../basics/load-optional.ts'

/** A batch: ids of tokens and which of them are no padding, row after row. */
export interface Batch {
  readonly ids: BigInt64Array
  readonly mask: BigInt64Array
  readonly rows: number
  /** Tokens of each row, padding included. */
  readonly length: number
}

/** An ONNX model, opened. Batches may be given at once; they are run one after the other. */
export interface Session {
  /** Takes a batch and the name of an output; gives its numbers. */
  run(batch: Batch, output: string): Promise<Float32Array>
  close(): Promise<void>
}

export interface ModelFile {
  readonly graph: Uint8Array
  /** What the graph calls `weights`; copied for each thread, unless their memory is shared. */
  readonly weights: Uint8Array
  /** 0: one for each core. */
  readonly threads: number
}

interface Waiting {
  readonly resolve: (numbers: Float32Array) => void
  readonly reject: (error: Error) => void
}

/** What the thread says: of itself when it has opened the model (id 0), and of each batch. */
type Said = { readonly id: number } & ({ readonly numbers: Float32Array } | { readonly error: string })

const onnxruntime = { kind: 'minilm', package: 'onnxruntime-node', version: '1.30.0' }

/**
 * Opens a model in a thread of its own: the runtime would hold up this one, which has the next texts to prepare meanwhile. Throws
 * UserError with the command that installs the runtime where it cannot be loaded.
 */
export async function openSession(file: ModelFile): Promise<Session> {
  const runtime = resolveOptional(onnxruntime)
  const thread = new Worker(source, { eval: true, workerData: { ...file, runtime }, execArgv: [] })
  const waiting = new Map<number, Waiting>()
  let loaded = false
  let ended: Error | undefined
  const ask = (id: number, batch?: Batch & { readonly output: string }): Promise<Float32Array> =>
    new Promise((resolve, reject) => {
      if (ended) {
        reject(ended)
        return
      }
      waiting.set(id, { resolve, reject })
      // the process lives as long as something is waited for
      thread.ref()
      if (batch)
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
      await thread.terminate()
    },
  }
}

/**
 * As text, for it has to run the same from sources and from what is built of them. Threads of the runtime look for work for 20 microseconds
 * and then sleep: for longer, as is usual, they would take the cores from this process and from others.
 */
const source = `
const { parentPort, workerData } = require('node:worker_threads')
const { InferenceSession, Tensor } = require(workerData.runtime)
const opened = InferenceSession.create(workerData.graph, {
  externalData: [{ path: 'weights', data: workerData.weights }],
  intraOpNumThreads: workerData.threads,
  extra: { session: { force_spinning_stop: '1', intra_op: { spin_duration_us: '20' } } },
  logSeverityLevel: 3,
})
// the runtime has made its own of it
delete workerData.weights
const run = async ({ ids, mask, rows, length, output }) => {
  const session = await opened
  const tensor = (data) => new Tensor('int64', data, [rows, length])
  const results = await session.run({ input_ids: tensor(ids), attention_mask: tensor(mask) }, [output])
  return results[output].data.slice()
}
const say = (id, made) =>
  made.then(
    (numbers) => parentPort.postMessage({ id, numbers }, [numbers.buffer]),
    (error) => parentPort.postMessage({ id, error: String(error?.message ?? error) }),
  )
say(0, opened.then(() => new Float32Array()))
let before = Promise.resolve()
parentPort.on('message', (batch) => {
  before = say(batch.id, before.then(() => run(batch)))
})`
