/** Opens one kind and tries its mutants, as the parent asks; the parent ends it where one hangs. */
import { parentPort, workerData } from 'node:worker_threads'
import { mulberry32, seedFrom } from '../../src/math/random.ts'
import type { Kind, Mutant, Verdict } from './kind.ts'

/** What the parent asks: the mutant of a number, or one that it has. */
export type Asked = { readonly number: number } | { readonly mutant: Mutant }

/** What comes back: at the start that it is open, each mutant before it is tried, and what became of it. */
export type Told = { readonly mutant: Mutant } | { readonly verdict: Verdict }

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
const models = await kind.open(folder)
const tell = (text: Told): void => parentPort?.postMessage(text)

parentPort?.on('message', (requests: Asked) => {
  const mutant = 'mutant' in requests ? requests.mutant : models.make(mulberry32(seedFrom(seed, name, requests.number)))
  tell({ mutant })
  void tried(mutant).then((verdict) => tell({ verdict }))
})
tell({ verdict: { outcome: 'opened' } })

async function tried(mutant: Mutant): Promise<Verdict> {
  try {
    const verdict = await models.attempt(mutant)
    const polluted = Object.keys(Object.prototype)
    return polluted.length > 0 ? { fault: `every object has now ${polluted.join(', ')}` } : verdict
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
