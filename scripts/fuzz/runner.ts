import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { plural } from '../../src/text/amounts.ts'
import type { Kind, Mutant, Verdict } from './kind.ts'
import { fuzzKey } from './mutate.ts'
import type { Asked, Told, WorkerTask } from './worker.ts'

/** A mutant on which the program failed. `number` with kind and seed makes it again; absent for one that was given. */
export interface Failed {
  readonly mutant: Mutant
  readonly number?: number
  readonly sort: 'fault' | 'hang' | 'crash'
  readonly fault: string
}

/** What was tried of one kind. */
interface Tried {
  readonly mutants: number
  /** How often each outcome came. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly failures: readonly Failed[]
  readonly seconds: number
  readonly slowestSeconds: number
}

/** What to try: first mutants that are there, then so many of a seed. */
interface Trying {
  readonly given: readonly Mutant[]
  readonly seed: number
  readonly mutants: number
  /** That exports the kind; default: the one of its name in `kinds/`. */
  readonly file?: string
  /** No more are begun after that time (of `performance.now`). */
  readonly end?: number
  readonly onFailure?: (failed: Failed) => void
}

/** Tries mutants of a kind in a thread, one after the other; after one that hangs or ends it the next goes on. */
export async function tryKind(
  kind: Kind,
  { given: args, seed, mutants, file = `./kinds/${kind.name}.ts`, end = Infinity, onFailure }: Trying,
): Promise<Tried> {
  const root = await mkdtemp(join(tmpdir(), `gembench-fuzz-${kind.name}-`))
  const open = async (): Promise<Place> =>
    openPlace({ file, kind: kind.name, seed, folder: await mkdtemp(join(root, 'worker-')) })
  const outcomes = new Map<string, number>()
  const failures: Failed[] = []
  const start = performance.now()
  const requests: readonly Asked[] = [
    ...args.map((mutant) => ({ mutant })),
    ...Array.from({ length: mutants }, (_, number) => ({ number })),
  ]
  let [slowest, tried] = [0, 0]
  let place: Place | undefined
  try {
    for (const item of requests) {
      if (performance.now() >= end) break
      place ??= await open()
      const begun = performance.now()
      const { mutant, sort, verdict } = await place.attempt(item, kind.limitSeconds)
      slowest = Math.max(slowest, (performance.now() - begun) / 1000)
      tried++
      if (sort !== 'fault') {
        await place.end()
        place = undefined
      }
      if ('outcome' in verdict) {
        outcomes.set(verdict.outcome, (outcomes.get(verdict.outcome) ?? 0) + 1)
        continue
      }
      const failed = { sort, fault: verdict.fault, mutant, ...('number' in item && item) }
      failures.push(failed)
      onFailure?.(failed)
    }
  } finally {
    await place?.end()
    await rm(root, { recursive: true, force: true })
  }
  const seconds = (performance.now() - start) / 1000
  return { mutants: tried, outcomes, failures, seconds, slowestSeconds: slowest }
}

/** What became of a mutant; a `hang` or a `crash` where the thread told nothing more. */
interface Ended {
  readonly sort: Failed['sort']
  readonly verdict: Verdict
}

/** A thread with a kind opened. After a hang or a crash it must be ended. */
interface Place {
  attempt(requests: Asked, limitSeconds: number): Promise<Ended & { readonly mutant: Mutant }>
  end(): Promise<unknown>
}

const openingSeconds = 180

/** Opens a kind in a thread of its own. Throws Error where that fails, and where a mutant cannot be made. */
async function openPlace(task: WorkerTask): Promise<Place> {
  const worker = new Worker(new URL('./worker-start.js', import.meta.url), {
    workerData: task,
    env: { ...process.env, FUZZ_KEY: fuzzKey, NO_COLOR: '1' },
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  })
  const made: Mutant[] = []
  let settle: (outcome: Ended) => void = () => undefined
  let why: string | undefined
  worker.on('message', (text: Told) => {
    if ('mutant' in text) made.push(text.mutant)
    else settle({ sort: 'fault', ...text })
  })
  worker.on('error', (error) => (why = error instanceof Error ? (error.stack ?? error.message) : String(error)))
  // after the end everything that the thread told has come
  worker.on('exit', (code) =>
    settle({ sort: 'crash', verdict: { fault: `the thread ended: ${why ?? `exit code ${code}`}` } }),
  )
  const next = (seconds: number): Promise<Ended> =>
    new Promise((resolve) => {
      const late = () => resolve({ sort: 'hang', verdict: { fault: `no end within ${seconds} s` } })
      const timer = setTimeout(late, seconds * 1000)
      settle = (outcome) => {
        clearTimeout(timer)
        resolve(outcome)
      }
    })
  const { verdict } = await next(openingSeconds)
  if ('fault' in verdict) {
    await worker.terminate()
    throw new Error(`the kind ${task.kind} cannot be opened: ${verdict.fault}`)
  }
  return {
    async attempt(requests, limitSeconds) {
      made.length = 0
      worker.postMessage(requests)
      const outcome = await next(limitSeconds)
      const [mutant] = made
      if (!mutant) throw new Error(`a mutant cannot be made: ${JSON.stringify(outcome)}`)
      return { mutant, ...outcome }
    },
    end: () => worker.terminate(),
  }
}

/** What failures of one cause have in common: their words without numbers, names and places. */
export const causeOf = ({ sort, fault }: Pick<Failed, 'sort' | 'fault'>): string =>
  `${sort} ${(fault.split('\n')[0] ?? '')
    .replace(/"[^"]*"|'[^']*'/g, '"…"')
    .replace(/\/\S+/g, '/…')
    .replace(/[\d.]+/g, '#')
    .slice(0, 160)}`

/** The lines of a failure, and whether it is the first of its cause. `causes` are those told before. */
export function failureLines(kind: string, seed: number, failed: Failed, causes: Set<string>) {
  const cause = causeOf(failed)
  const first = !causes.has(cause)
  causes.add(cause)
  const again = failed.number === undefined ? 'from the corpus' : `seed ${seed}, mutant ${failed.number}`
  const fault = failed.fault.split('\n').slice(0, 6).join('\n    ')
  return { first, lines: `${failed.sort} of ${kind} (${again}; ${failed.mutant.of})\n    ${fault}` }
}

/** One line on a kind, of whose inputs `known` were of the corpus: what was tried, what became of it, how long. */
export function summaryLine(kind: string, seed: number, seen: number, tried: Tried): string {
  const { failures: all } = tried
  const count = (sort: Failed['sort']): number => all.filter((failed) => failed.sort === sort).length
  const outcomes = [...tried.outcomes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, times]) => `${name} ${times}`)
  const causes = new Set(all.map(causeOf)).size
  const ofCorpus = Math.min(seen, tried.mutants) // the time may have ended before all of them
  return [
    `${kind}: ${ofCorpus} of the corpus and ${plural(tried.mutants - ofCorpus, 'mutant')} of seed ${seed}`,
    `${count('fault')} faults, ${count('hang')} hangs, ${count('crash')} crashes${causes > 0 ? ` (${plural(causes, 'cause')})` : ''}`,
    outcomes.join(', '),
    `${tried.seconds.toFixed(0)} s, the slowest ${tried.slowestSeconds.toFixed(1)} s`,
  ].join('; ')
}
