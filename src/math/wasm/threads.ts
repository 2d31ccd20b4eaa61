import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Calls of a function that some WebAssembly code exports: independent of each other, so that threads may share them out. */
export interface Calls<Given extends readonly number[]> {
  readonly code: object
  /** Shared, and imported by the code as `memory` of `env`; `id` tells it from others. */
  readonly memory: object
  readonly id: number
  readonly name: string
  readonly calls: readonly Given[]
}

/**
 * Makes all the calls and returns when they are done: every thread takes the next call that is left. A helper that cannot start, or
 * is not ready yet, takes none, and this thread makes them all. `run` is the function, for this thread.
 */
export function shareOut<Given extends readonly number[]>(job: Calls<Given>, run: (...given: Given) => void): void {
  const board = new Int32Array(new SharedArrayBuffer(8))
  for (const { worker } of helpersAtWork()) worker.postMessage({ ...job, board })
  let own = 0
  for (let at; (at = Atomics.add(board, next, 1)) < job.calls.length; own++) run(...job.calls[at]!)
  for (let done; (done = Atomics.load(board, finished)) < job.calls.length - own;) Atomics.wait(board, finished, done)
}

/** Places on the board: the call to be taken next, and how many the helpers have finished. */
const [next, finished] = [0, 1]

/** More threads than this find the memory too slow for them. */
const mostThreads = 4

interface Helper {
  readonly worker: Worker
  /** 1 when it has ended. */
  readonly ended: Int32Array
}

let helpers: readonly Helper[] = []
let failed = false

function helpersAtWork(): readonly Helper[] {
  if (!failed && helpers.every(({ ended }) => Atomics.load(ended, 0) === 1)) {
    try {
      helpers = Array.from({ length: Math.min(availableParallelism(), mostThreads) - 1 }, startHelper)
    } catch {
      helpersFailed()
    }
  }
  return helpers
}

function helpersFailed(): void {
  failed = true
  helpers = []
}

function startHelper(): Helper {
  const ended = new Int32Array(new SharedArrayBuffer(4))
  // nothing of what this process was started with: a helper only runs what it is sent
  const worker = new Worker(source, { eval: true, workerData: ended, execArgv: [], env: {} })
  worker.on('error', helpersFailed)
  worker.unref()
  return { worker, ended }
}

/**
 * As text, for it has to run the same from sources and from what is built of them. It ends after a second without work, and so keeps no
 * memory for long; meanwhile a buffer of the same size hangs on every memory, for the garbage collector counts no shared ones.
 */
const source = `
const { parentPort, workerData: ended } = require('node:worker_threads')
const seen = new Set()
let idle
parentPort.on('message', ({ code, memory, id, name, calls, board }) => {
  clearTimeout(idle)
  idle = setTimeout(() => {
    Atomics.store(ended, 0, 1)
    process.exit()
  }, 1000)
  if (Atomics.load(board, ${next}) >= calls.length) return
  if (!seen.has(id)) memory.weight = new ArrayBuffer(memory.buffer.byteLength)
  seen.add(id)
  const run = new WebAssembly.Instance(code, { env: { memory } }).exports[name]
  for (let at; (at = Atomics.add(board, ${next}, 1)) < calls.length; ) {
    run(...calls[at])
    Atomics.add(board, ${finished}, 1)
    Atomics.notify(board, ${finished})
  }
})`
