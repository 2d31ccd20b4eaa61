import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Kind, Mutant } from './kind.ts'
import type { Asked, Replied, WorkerTask } from './worker.ts'

/** A mutant on which the program failed. `number` with kind and seed makes it again; absent for one from the corpus. */
export interface Failed {
  readonly mutant: Mutant
  readonly number?: number
  readonly fault: string
  readonly sort: 'fault' | 'hang' | 'crash'
}

/** What was tried of one kind. */
export interface Tried {
  readonly mutants: number
  /** How often each outcome came. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly failures: readonly Failed[]
  readonly seconds: number
  readonly slowestSeconds: number
}

/** What to try: numbered mutants, or some that are there. `end`: no more are begun after that time (of `performance.now`). */
export interface Trying {
  readonly seed: number
  readonly mutants: number | readonly Mutant[]
  readonly end?: number
  readonly onFailure?: (failed: Failed) => void
}

/** Tries mutants of a kind in a worker thread, one after the other; one that hangs or brings the thread down ends it, and the next goes on. */
export async function tryKind(kind: Kind, { seed, mutants, end = Infinity, onFailure }: Trying): Promise<Tried> {
  const root = await mkdtemp(join(tmpdir(), `gembench-fuzz-${kind.name}-`))
  const outcomes = new Map<string, number>()
  const failures: Failed[] = []
  const started = performance.now()
  const total = typeof mutants === 'number' ? mutants : mutants.length
  let slowest = 0
  let tried = 0
  let place: Place | undefined
  try {
    for (; tried < total && performance.now() < end; tried++) {
      place ??= await openPlace({ kind: kind.name, seed, folder: await mkdtemp(join(root, 'worker-')) })
      const given = typeof mutants === 'number' ? undefined : mutants[tried]
      const begun = performance.now()
      const reply = await place.ask(given ? { mutant: given } : { number: tried }, kind.limitSeconds)
      slowest = Math.max(slowest, (performance.now() - begun) / 1000)
      if (typeof reply === 'object' && 'mutant' in reply && reply.verdict && 'outcome' in reply.verdict) {
        outcomes.set(reply.verdict.outcome, (outcomes.get(reply.verdict.outcome) ?? 0) + 1)
        continue
      }
      const number = given ? {} : { number: tried }
      let failed: Failed
      if (typeof reply === 'object' && 'mutant' in reply && reply.verdict && 'fault' in reply.verdict)
        failed = { mutant: reply.mutant, ...number, sort: 'fault', fault: reply.verdict.fault }
      else {
        await place.end()
        place = await openPlace({ kind: kind.name, seed, folder: await mkdtemp(join(root, 'worker-')) })
        const made = given ?? mutantOf(await place.ask({ number: tried, only: 'make' }, kind.limitSeconds))
        const fault = reply === 'hang' ? `no end within ${kind.limitSeconds} s` : String(reply)
        failed = { mutant: made, ...number, sort: reply === 'hang' ? 'hang' : 'crash', fault }
      }
      failures.push(failed)
      onFailure?.(failed)
    }
  } finally {
    await place?.end()
    await rm(root, { recursive: true, force: true })
  }
  return { mutants: tried, outcomes, failures, seconds: (performance.now() - started) / 1000, slowestSeconds: slowest }
}

function mutantOf(reply: Replied | string): Mutant {
  if (typeof reply === 'object' && 'mutant' in reply) return reply.mutant
  throw new Error(`a mutant cannot be made: ${JSON.stringify(reply)}`)
}

/** A worker with a kind opened. */
interface Place {
  /** What comes back; `hang` after the limit, or why the thread ended. */
  ask(asked: Asked, limitSeconds: number): Promise<Replied | string>
  end(): Promise<unknown>
}

const openingSeconds = 180

async function openPlace(task: WorkerTask): Promise<Place> {
  const worker = new Worker(new URL('./worker-start.js', import.meta.url), {
    workerData: task,
    env: { ...process.env, FUZZ_KEY: 'sk-fuzz-3f9c1e77a2b4', NO_COLOR: '1' },
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  })
  let settle: (reply: Replied | string) => void = () => undefined
  worker.on('message', (reply: Replied) => settle(reply))
  worker.on('error', (error) => settle(`the thread ended: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`))
  worker.on('exit', (code) => settle(`the thread ended with exit code ${code}`))
  const next = (seconds: number): Promise<Replied | string> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve('hang'), seconds * 1000)
      settle = (reply) => {
        clearTimeout(timer)
        resolve(reply)
      }
    })
  const opened = await next(openingSeconds)
  if (typeof opened === 'string') {
    await worker.terminate()
    throw new Error(`the kind ${task.kind} cannot be opened: ${opened}`)
  }
  return {
    ask(asked, seconds) {
      const reply = next(seconds)
      worker.postMessage(asked)
      return reply
    },
    end: () => worker.terminate(),
  }
}
