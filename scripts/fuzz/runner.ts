import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { plural } from '../../src/text/amounts.ts'
import type { Kind, Mutant, Verdict } from './kind.ts'
import { fuzzKey } from './mutate.ts'
import type { Input, Message, WorkerTask } from './worker.ts'

/**
 * A mutant on which the program failed. Kind, seed and `number` make it again; a mutant of the corpus has no number.
 */
export interface Failure {
  readonly mutant: Mutant
  readonly number?: number
  readonly sort: 'fault' | 'hang' | 'crash'
  readonly fault: string
}

/** The mutants of one kind and their results. */
interface Summary {
  readonly mutants: number
  /** Number of mutants by outcome. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly failures: readonly Failure[]
  readonly seconds: number
  readonly slowestSeconds: number
}

/** The mutants of the corpus run first, then `mutants` made from the seed. */
interface Options {
  readonly corpus: readonly Mutant[]
  readonly seed: number
  readonly mutants: number
  /** Module of the kind; default: `kinds/NAME.ts`. */
  readonly file?: string
  /** No mutant starts after this time (of `performance.now`). */
  readonly end?: number
  readonly onFailure?: (failed: Failure) => void
}

/** Tries mutants of a kind in a thread, one after the other. A new thread follows a hang or a crash. */
export async function tryKind(
  kind: Kind,
  { corpus: args, seed, mutants, file = `./kinds/${kind.name}.ts`, end = Infinity, onFailure }: Options,
): Promise<Summary> {
  const root = await mkdtemp(join(tmpdir(), `gembench-fuzz-${kind.name}-`))
  const open = async (): Promise<Place> =>
    openPlace({ file, kind: kind.name, seed, folder: await mkdtemp(join(root, 'worker-')) })
  const outcomes = new Map<string, number>()
  const failures: Failure[] = []
  const start = performance.now()
  const inputs: readonly Input[] = [
    ...args.map((mutant) => ({ mutant })),
    ...Array.from({ length: mutants }, (_, number) => ({ number })),
  ]
  let [slowest, count] = [0, 0]
  let place: Place | undefined
  try {
    for (const item of inputs) {
      if (performance.now() >= end) break
      place ??= await open()
      const attemptStart = performance.now()
      const { mutant, sort, verdict } = await place.attempt(item, kind.limitSeconds)
      slowest = Math.max(slowest, (performance.now() - attemptStart) / 1000)
      count++
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
  return { mutants: count, outcomes, failures, seconds, slowestSeconds: slowest }
}

/** The result of a mutant; a `hang` or a `crash` where the thread sent none. */
interface Outcome {
  readonly sort: Failure['sort']
  readonly verdict: Verdict
}

/** A thread that has opened a kind. After a hang or a crash it must be ended. */
interface Place {
  attempt(requests: Input, limitSeconds: number): Promise<Outcome & { readonly mutant: Mutant }>
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
  const mutants: Mutant[] = []
  let settle: (outcome: Outcome) => void = () => undefined
  let why: string | undefined
  worker.on('message', (message: Message) => {
    if ('mutant' in message) mutants.push(message.mutant)
    else settle({ sort: 'fault', ...message })
  })
  worker.on('error', (error) => (why = error instanceof Error ? (error.stack ?? error.message) : String(error)))
  // the exit event follows all messages
  worker.on('exit', (code) =>
    settle({ sort: 'crash', verdict: { fault: `the thread ended: ${why ?? `exit code ${code}`}` } }),
  )
  const next = (seconds: number): Promise<Outcome> =>
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
      mutants.length = 0
      worker.postMessage(requests)
      const outcome = await next(limitSeconds)
      const [mutant] = mutants
      if (!mutant) throw new Error(`a mutant cannot be made: ${JSON.stringify(outcome)}`)
      return { mutant, ...outcome }
    },
    end: () => worker.terminate(),
  }
}

/** A key that failures of one cause share: the message without numbers, names and places. */
export const causeOf = ({ sort, fault }: Pick<Failure, 'sort' | 'fault'>): string =>
  `${sort} ${(fault.split('\n')[0] ?? '')
    .replace(/"[^"]*"|'[^']*'/g, '"…"')
    .replace(/\/\S+/g, '/…')
    .replace(/[\d.]+/g, '#')
    .slice(0, 160)}`

/** The lines of a failure, and whether it is the first of its cause. `causes` holds the earlier ones. */
export function failureLines(kind: string, seed: number, failed: Failure, causes: Set<string>) {
  const cause = causeOf(failed)
  const first = !causes.has(cause)
  causes.add(cause)
  const again = failed.number === undefined ? 'from the corpus' : `seed ${seed}, mutant ${failed.number}`
  const fault = failed.fault.split('\n').slice(0, 6).join('\n    ')
  return { first, lines: `${failed.sort} of ${kind} (${again}; ${failed.mutant.of})\n    ${fault}` }
}

/** One line on a kind: inputs, results, duration. `corpusSize` of its inputs came from the corpus. */
export function summaryLine(kind: string, seed: number, corpusSize: number, summary: Summary): string {
  const { failures: all } = summary
  const count = (sort: Failure['sort']): number => all.filter((failed) => failed.sort === sort).length
  const outcomes = [...summary.outcomes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, times]) => `${name} ${times}`)
  const causes = new Set(all.map(causeOf)).size
  const ofCorpus = Math.min(corpusSize, summary.mutants) // the time may have ended before all of them
  return [
    `${kind}: ${ofCorpus} of the corpus and ${plural(summary.mutants - ofCorpus, 'mutant')} of seed ${seed}`,
    `${count('fault')} faults, ${count('hang')} hangs, ${count('crash')} crashes${causes > 0 ? ` (${plural(causes, 'cause')})` : ''}`,
    outcomes.join(', '),
    `${summary.seconds.toFixed(0)} s, the slowest ${summary.slowestSeconds.toFixed(1)} s`,
  ].join('; ')
}
