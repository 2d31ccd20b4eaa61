import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kind, Mutant } from './kind.ts'
import { openPlace, type Lost, type Place } from './place.ts'
import type { Asked, Replied } from './worker.ts'

/** A mutant on which the program failed. `number` with kind and seed makes it again; absent for one that was given. */
export interface Failed {
  readonly mutant: Mutant
  readonly number?: number
  readonly sort: 'fault' | Lost['sort']
  readonly fault: string
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

/** What to try: first mutants that are there, then so many of a seed. `end`: no more are begun after that time (of `performance.now`). */
export interface Trying {
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
