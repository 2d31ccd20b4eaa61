/** Opens one kind and tries its mutants, as the parent asks; the parent ends it where one hangs. */
import { parentPort, workerData } from 'node:worker_threads'
import { mulberry32, seedFrom } from '../../src/math/random.ts'
import type { Kind, Mutant, Verdict } from './kind.ts'

/** What the parent asks: the mutant of a number, only made or also tried, or one that it has. */
export type Asked = { readonly number: number; readonly only?: 'make' } | { readonly mutant: Mutant }

/** What comes back for each; `opened` once at the start. */
export interface Replied {
  readonly mutant: Mutant
  /** Absent where it was only made. */
  readonly verdict?: Verdict
}

/** What a worker is told at its start. */
export interface WorkerTask {
  /** The file that exports the kind, seen from this one. */
  readonly file: string
  readonly kind: string
  readonly seed: number
  readonly folder: string
}

const { file, kind: name, seed, folder } = workerData as WorkerTask
const { default: kind } = (await import(file)) as { default: Kind }
const opened = await kind.open(folder)
const reply = (message: Replied): void => parentPort?.postMessage(message)

parentPort?.on('message', (asked: Asked) => {
  void tried(asked).then(reply)
})
parentPort?.postMessage('opened')

async function tried(asked: Asked): Promise<Replied> {
  const mutant = 'mutant' in asked ? asked.mutant : opened.make(mulberry32(seedFrom(seed, name, asked.number)))
  if ('only' in asked) return { mutant }
  try {
    const verdict = await opened.attempt(mutant)
    const polluted = Object.keys(Object.prototype)
    return { mutant, verdict: polluted.length > 0 ? { fault: `every object has now ${polluted.join(', ')}` } : verdict }
  } catch (error) {
    return { mutant, verdict: { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) } }
  }
}
