import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kind, Mutant } from './kind.ts'
import type { Asked, Replied, WorkerTask } from './worker.ts'
import { Worker } from 'node:worker_threads'
import { fuzzKey } from './mutate.ts'
import { plural } from '../../src/report/render/amounts.ts'

/** A mutant on which the program failed. `number` with kind and seed makes it again; absent for one that was given. */
export interface Failed {
  readonly mutant: Mutant
  readonly number?: number
  readonly sort: 'fault' | Lost['sort']
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

/** What to try: first mutants that are there, then so many of a seed. `end`: no more are begun after that time (of `performance.now`). */
interface Trying {
  readonly given: readonly Mutant[]
  readonly seed: number
  readonly mutants: number
  /** That exports the kind; default: the one of its name in `kinds/`. */
  readonly file?: string
  readonly end?: number
  readonly onFailure?: (failed: Failed) => void
}

/** Tries mutants of a kind in a thread, one after the other; one that hangs or brings the thread down ends it, and the next goes on. */
export async function tryKind(
  kind: Kind,
  { given, seed, mutants, file = `./kinds/${kind.name}.ts`, end = Infinity, onFailure }: Trying,
): Promise<Tried> {
  const root = await mkdtemp(join(tmpdir(), `gembench-fuzz-${kind.name}-`))
  const open = async (): Promise<Place> =>
    openPlace({ file, kind: kind.name, seed, folder: await mkdtemp(join(root, 'worker-')) })
  const outcomes = new Map<string, number>()
  const failures: Failed[] = []
  const started = performance.now()
  const asked: readonly Asked[] = [
    ...given.map((mutant) => ({ mutant })),
    ...Array.from({ length: mutants }, (_, number) => ({ number })),
  ]
  let [slowest, tried] = [0, 0]
  let place: Place | undefined
  try {
    for (const one of asked) {
      if (performance.now() >= end) break
      place ??= await open()
      const begun = performance.now()
      const reply = await place.ask(one, kind.limitSeconds)
      slowest = Math.max(slowest, (performance.now() - begun) / 1000)
      tried++
      const lost = 'mutant' in reply ? undefined : reply
      if (lost) {
        await place.end()
        place = await open()
      }
      const { mutant, verdict } = 'mutant' in reply ? reply : await madeAgain(one, place, kind.limitSeconds)
      if (verdict && 'outcome' in verdict) {
        outcomes.set(verdict.outcome, (outcomes.get(verdict.outcome) ?? 0) + 1)
        continue
      }
      const failed = {
        sort: 'fault' as const,
        fault: verdict?.fault ?? '',
        ...lost,
        mutant,
        ...('number' in one && one),
      }
      failures.push(failed)
      onFailure?.(failed)
    }
  } finally {
    await place?.end()
    await rm(root, { recursive: true, force: true })
  }
  const seconds = (performance.now() - started) / 1000
  return { mutants: tried, outcomes, failures, seconds, slowestSeconds: slowest }
}

/** The mutant of a thread that was lost with it. */
async function madeAgain(asked: Asked, place: Place, limitSeconds: number): Promise<Replied> {
  if ('mutant' in asked) return asked
  const reply = await place.ask({ ...asked, only: 'make' }, limitSeconds)
  if ('mutant' in reply) return reply
  throw new Error(`mutant ${asked.number} cannot be made: ${reply.fault}`)
}

/** Why no reply comes: the time was over, or the thread ended. */
interface Lost {
  readonly sort: 'hang' | 'crash'
  readonly fault: string
}

/** A thread with a kind opened. After a loss it must be ended. */
interface Place {
  ask(asked: Asked, limitSeconds: number): Promise<Replied | Lost>
  end(): Promise<unknown>
}

const openingSeconds = 180

/** Opens a kind in a thread of its own. Throws Error where that fails. */
async function openPlace(task: WorkerTask): Promise<Place> {
  const worker = new Worker(new URL('./worker-start.js', import.meta.url), {
    workerData: task,
    env: { ...process.env, FUZZ_KEY: fuzzKey, NO_COLOR: '1' },
    resourceLimits: { maxOldGenerationSizeMb: 2048 },
  })
  let settle: (reply: Replied | Lost) => void = () => undefined
  const crash = (why: string): void => settle({ sort: 'crash', fault: `the thread ended: ${why}` })
  worker.on('message', (reply: Replied) => settle(reply))
  worker.on('error', (error) => crash(error instanceof Error ? (error.stack ?? error.message) : String(error)))
  worker.on('exit', (code) => crash(`exit code ${code}`))
  const next = (seconds: number): Promise<Replied | Lost> =>
    new Promise((resolve) => {
      const late = () => resolve({ sort: 'hang', fault: `no end within ${seconds} s` })
      const timer = setTimeout(late, seconds * 1000)
      settle = (reply) => {
        clearTimeout(timer)
        resolve(reply)
      }
    })
  const opened = await next(openingSeconds)
  if (typeof opened === 'object' && 'fault' in opened) {
    await worker.terminate()
    throw new Error(`the kind ${task.kind} cannot be opened: ${opened.fault}`)
  }
  return {
    ask(asked, limitSeconds) {
      const reply = next(limitSeconds)
      worker.postMessage(asked)
      return reply
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

/** One line on a kind, of whose inputs `known` were of the corpus: what was tried, what became of it, how long it took. */
export function summaryLine(kind: string, seed: number, known: number, tried: Tried): string {
  const { failures: all } = tried
  const count = (sort: Failed['sort']): number => all.filter((failed) => failed.sort === sort).length
  const outcomes = [...tried.outcomes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, times]) => `${name} ${times}`)
  const causes = new Set(all.map(causeOf)).size
  const ofCorpus = Math.min(known, tried.mutants) // the time may have ended before all of them
  return [
    `${kind}: ${ofCorpus} of the corpus and ${plural(tried.mutants - ofCorpus, 'mutant')} of seed ${seed}`,
    `${count('fault')} faults, ${count('hang')} hangs, ${count('crash')} crashes${causes > 0 ? ` (${plural(causes, 'cause')})` : ''}`,
    outcomes.join(', '),
    `${tried.seconds.toFixed(0)} s, the slowest ${tried.slowestSeconds.toFixed(1)} s`,
  ].join('; ')
}
