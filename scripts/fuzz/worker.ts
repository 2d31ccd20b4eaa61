/** Opens one kind and tries the mutants that the parent sends. The parent ends it on a hang. */
import { parentPort, workerData } from 'node:worker_threads'
import { mulberry32, seedFrom } from '../../src/math/random.ts'
import type { Kind, Mutant, Verdict } from './kind.ts'

/** A request of the parent: the number of a mutant, or a mutant of the corpus. */
export type Input = { readonly number: number } | { readonly mutant: Mutant }

/** A reply: an outcome once the kind is open, then each mutant and its verdict. */
export type Message = { readonly mutant: Mutant } | { readonly verdict: Verdict }

/** The task of a worker. */
export interface WorkerTask {
  /** Module of the kind, relative to this file. */
  readonly file: string
  readonly kind: string
  readonly seed: number
  readonly folder: string
}

const { file, kind: name, seed, folder } = workerData as WorkerTask
const { default: kind } = (await import(file)) as { default: Kind }
const openedKind = await kind.open(folder)
const send = (message: Message): void => parentPort?.postMessage(message)

parentPort?.on('message', (input: Input) => {
  const mutant = 'mutant' in input ? input.mutant : openedKind.make(mulberry32(seedFrom(seed, name, input.number)))
  send({ mutant })
  void attemptMutant(mutant).then((verdict) => send({ verdict }))
})
send({ verdict: { outcome: 'opened' } })

async function attemptMutant(mutant: Mutant): Promise<Verdict> {
  try {
    const verdict = await openedKind.attempt(mutant)
    const pollution = Object.keys(Object.prototype)
    return pollution.length > 0 ? { fault: `every object has now ${pollution.join(', ')}` } : verdict
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
