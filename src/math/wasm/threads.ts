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
  const { calls } = job
  const width = calls[0]?.length ?? 0
  if (calls.length * width > mostNumbers || helpersAtWork().length === 0) {
    for (const given of calls) run(...given)
    return
  }
  board[place.job] = announced(job)
  board[place.width] = width
  board[place.count] = calls.length
  for (const [at, given] of calls.entries()) board.set(given, place.first + at * width)
  Atomics.store(board, place.finished, 0)
  Atomics.store(board, place.left, calls.length)
  Atomics.add(board, place.bell, 1)
  Atomics.notify(board, place.bell)
  let own = 0
  for (let left; (left = Atomics.sub(board, place.left, 1)) > 0; own++) run(...calls[calls.length - left]!)
  for (let done; (done = Atomics.load(board, place.finished)) < calls.length - own;)
    Atomics.wait(board, place.finished, done)
}

/**
 * Where numbers stand on the board: `bell` rises with every job, `left` counts down as calls are taken (whoever takes a call above 0 holds the
 * job open until it is finished), then how many of them helpers have finished, which function, how many numbers a call has, and the calls.
 */
const place = { bell: 0, left: 1, finished: 2, job: 3, width: 4, count: 5, first: 6 }
const mostNumbers = 2 ** 14

/** Functions that helpers keep, and with them their memories. */
const mostKept = 4

let board: Int32Array = new Int32Array()
let kept: readonly { readonly key: string; readonly number: number }[] = []
let announcements = 0

/** The number of a function that the helpers know, or are told now; like them, this forgets the one told first. */
function announced({ code, memory, id, name }: Calls<readonly number[]>): number {
  const key = `${id} ${name}`
  const known = kept.find((one) => one.key === key)
  if (known) return known.number
  const number = ++announcements
  kept = [...kept.slice(1 - mostKept), { key, number }]
  for (const { worker } of helpers) worker.postMessage({ code, memory, id, name, number })
  return number
}

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
      board = new Int32Array(new SharedArrayBuffer(4 * (place.first + mostNumbers)))
      kept = []
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
  const worker = new Worker(source, { eval: true, workerData: { ended, board }, execArgv: [], env: {} })
  worker.on('error', helpersFailed)
  worker.unref()
  return { worker, ended }
}

/**
 * As text, for it has to run the same from sources and from what is built of them. It ends after a second without work, and so keeps no
 * memory for long; meanwhile a buffer of the same size hangs on every memory, for the garbage collector counts no shared ones.
 */
const source = `
const { parentPort, receiveMessageOnPort, workerData: { ended, board } } = require('node:worker_threads')
const functions = new Map()
const seen = new Set()
function learn() {
  const { code, memory, id, name, number } = receiveMessageOnPort(parentPort).message
  if (!seen.has(id)) memory.weight = new ArrayBuffer(memory.buffer.byteLength)
  seen.add(id)
  functions.set(number, new WebAssembly.Instance(code, { env: { memory } }).exports[name])
  if (functions.size > ${mostKept}) functions.delete(functions.keys().next().value)
}
for (;;) {
  const rung = Atomics.load(board, ${place.bell})
  for (let left; (left = Atomics.sub(board, ${place.left}, 1)) > 0; ) {
    while (!functions.has(board[${place.job}])) learn()
    const at = ${place.first} + (board[${place.count}] - left) * board[${place.width}]
    functions.get(board[${place.job}])(...board.subarray(at, at + board[${place.width}]))
    Atomics.add(board, ${place.finished}, 1)
    Atomics.notify(board, ${place.finished})
  }
  if (Atomics.wait(board, ${place.bell}, rung, 1000) === 'timed-out') break
}
Atomics.store(ended, 0, 1)
process.exit()`
