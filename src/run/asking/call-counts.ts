import { addFields } from '../../basics/collections.ts'
import { createMeter, noneSent, type Meter, type PhaseUsage } from '../../models/index.ts'
import type { ExpectedCalls, Phase, Usage } from '../../types.ts'

/** How the calls of a stage stand. */
export interface CallsSoFar {
  /** Calls that were sent, by phase, with what they took; equal calls are sent once. */
  readonly sent: Readonly<Partial<Record<Phase, Usage>>>
  readonly cached: number
  /** Seconds that the calls ahead are likely to take; null where not known, absent where none were planned. */
  readonly secondsLeft?: number | null
  /** Indexes that are being built, with their calls done and planned, where these are known. */
  readonly indexes: readonly { readonly row: string; readonly done?: number; readonly planned?: number }[]
}

/** What a row over a corpus is going to ask. */
export interface PlannedRow {
  readonly row: string
  readonly jobs: Readonly<Record<Part, number>>
  /** What all of these ask; undefined where it cannot be foreseen. `ahead`: what no earlier row asks. */
  readonly calls: Readonly<Record<Part, PlannedCalls | undefined>>
}

interface PlannedCalls {
  readonly all: number
  /** Calls that complete, and tokens that are embedded: an embedding call may have one text or thousands. */
  readonly ahead: Readonly<Record<Kind, number>>
}

/** Counts the calls of one index or trial. */
export interface JobCalls {
  readonly onUsage: (phase: Phase, more: Partial<PhaseUsage>) => void
  /** The job is done; what its meter has beyond what was counted is counted now. */
  readonly end: (meter: Meter) => void
}

type Part = 'index' | 'trial'
type Kind = 'complete' | 'embed'

/** The indexes, or the trials, of a row over a corpus. */
interface Piece {
  readonly row: string
  readonly part: Part
  readonly jobs: number
  readonly calls: PlannedCalls | undefined
  readonly running: Set<{ calls: number }>
  over: number
}

export type CallCounts = ReturnType<typeof callCounts>

/** No call yet. `trials`: how many are going to be asked. `areSeen`: calls count as they are made. */
export function callCounts(trials = 0, areSeen = true) {
  const pieces = new Set<Piece>()
  const planned: Record<Part, Record<Kind, number>> = { index: { ...noCalls }, trial: { ...noCalls } }
  const timed: Record<Part, Record<Kind, Timed>> = {
    index: { complete: newTimed(), embed: newTimed() },
    trial: { complete: newTimed(), embed: newTimed() },
  }
  const work: Record<Kind, Work> = { complete: newWork(), embed: newWork() }
  const sent = new Map<Phase, Usage>()
  let [cached, plannedTrials] = [0, 0]
  let begun: number | undefined

  const onUsage: JobCalls['onUsage'] = (phase, { calls = 0, embeddingCalls = 0, milliseconds = 0, ...more }) => {
    const kind = calls > embeddingCalls ? 'complete' : 'embed'
    const times = timed[partOf(phase)][kind]
    times.units += kind === 'complete' ? calls - embeddingCalls : (more.embeddedTokens ?? 0)
    times.milliseconds += milliseconds
    cached += more.cached ?? 0
    const own = { ...noneSent, ...more }
    if (own.sent === 0) return
    sent.set(phase, added(sent.get(phase), own))
    const now = performance.now()
    const { sentMilliseconds: taken } = own
    begun ??= now - taken
    const of = work[kind]
    of.busy += taken
    of.wall += Math.min(taken, now - of.ended)
    of.ended = now
  }

  function begin(piece: Piece): JobCalls {
    const job = { calls: 0 }
    const known = createMeter()
    piece.running.add(job)
    const take: JobCalls['onUsage'] = (phase, more) => {
      job.calls += more.calls ?? 0
      known.add(phase, more)
      onUsage(phase, more)
    }
    return {
      onUsage: take,
      end(meter) {
        for (const phase of phasesOf[piece.part]) {
          const [all, before] = [meter.spent(phase), known.spent(phase)]
          if (all.calls > before.calls) take(phase, addFields({ ...all }, negative({ ...before })))
        }
        piece.running.delete(job)
        piece.over++
        if (piece.over >= piece.jobs) pieces.delete(piece)
      },
    }
  }

  /** Milliseconds of a unit of that kind, of the other part where this one has none; 0 where none was made. */
  const meanOf = (part: Part, kind: Kind): number => {
    const found = [timed[part][kind], timed.index[kind], timed.trial[kind]].find(({ units }) => units > 0)
    return found ? found.milliseconds / found.units : 0
  }

  function secondsLeft(now: number): number | null {
    const pieceList = [...pieces]
    if (begun === undefined || pieceList.some(({ calls }) => !calls)) return null
    const beyond = plannedTrials > 0 ? Math.max(0, trials - plannedTrials) / plannedTrials : 0
    const seconds = kinds.map((kind) => {
      const ofRest = parts.reduce((sum, part) => sum + beyond * planned[part][kind] * meanOf(part, kind), 0)
      const ofPlanned = pieceList.reduce(
        (sum, piece) => sum + shareLeft(piece) * (piece.calls?.ahead[kind] ?? 0) * meanOf(piece.part, kind),
        0,
      )
      const { busy, wall } = work[kind]
      // so many calls at once
      const together = wall > 0 ? Math.max(1, busy / wall) : 1
      return (ofRest + ofPlanned) / together / 1000
    })
    const [left, worked] = [sum(seconds), sum(kinds.map((kind) => work[kind].wall))]
    // what is computed between calls takes its time too, and calls of two kinds may be under way at once
    return worked > 0 ? (left * (now - begun)) / worked : left
  }

  return {
    /** Counts calls of which nothing was planned. */
    onUsage,
    /** What begins a job of each part of a row. */
    plan({ row, jobs, calls }: PlannedRow) {
      const piece = (part: Part): Piece => {
        const made = { row, part, jobs: jobs[part], calls: calls[part], running: new Set<{ calls: number }>(), over: 0 }
        if (made.jobs > 0) pieces.add(made)
        for (const kind of kinds) planned[part][kind] += made.calls?.ahead[kind] ?? 0
        return made
      }
      const [index, trial] = [piece('index'), piece('trial')]
      plannedTrials += jobs.trial
      return { index: () => begin(index), trial: () => begin(trial) }
    },
    soFar: (): CallsSoFar => {
      const building = [...pieces].filter(({ part, running }) => part === 'index' && running.size > 0)
      const isPlanned =
        [...pieces].some(({ calls }) => !calls) || sum(parts.flatMap((part) => Object.values(planned[part]))) > 0
      return {
        sent: Object.fromEntries(sent),
        cached,
        ...(isPlanned && { secondsLeft: secondsLeft(performance.now()) }),
        indexes: building.map(({ row, running, jobs, calls }) => ({
          row,
          ...(areSeen && { done: sum([...running].map((job) => job.calls)) }),
          ...(calls && { planned: (calls.all * running.size) / jobs }),
        })),
      }
    },
  }
}

/** How much of a piece is ahead, from 0 to 1; an index that makes more calls than planned is nearly done. */
function shareLeft({ part, jobs, calls, running, over }: Piece): number {
  const each = (calls?.all ?? 0) / jobs
  const half = part === 'trial' || each === 0 ? 0 : sum([...running].map((job) => Math.min(0.95, job.calls / each)))
  return Math.max(0, 1 - (over + half) / jobs)
}

/** How long so many completing calls, or embedded tokens, took one after another. */
interface Timed {
  units: number
  milliseconds: number
}

/** Milliseconds of calls of one kind: one after another, while any was under way, and when the last one ended. */
interface Work {
  busy: number
  wall: number
  ended: number
}

const newTimed = (): Timed => ({ units: 0, milliseconds: 0 })
const newWork = (): Work => ({ busy: 0, wall: 0, ended: -Infinity })
const noCalls = { complete: 0, embed: 0 }
const kinds: readonly Kind[] = ['complete', 'embed']
const parts: readonly Part[] = ['index', 'trial']
const phasesOf: Readonly<Record<Part, readonly Phase[]>> = { index: ['index'], trial: ['retrieve', 'answer'] }
const partOf = (phase: Phase): Part => (phase === 'index' ? 'index' : 'trial')
const negative = (numbers: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(numbers).map(([field, value]) => [field, -value]))
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

const added = (before: Usage | undefined, own: typeof noneSent): Usage => ({
  calls: (before?.calls ?? 0) + own.sent,
  promptTokens: (before?.promptTokens ?? 0) + own.sentPromptTokens,
  completionTokens: (before?.completionTokens ?? 0) + own.sentCompletionTokens,
  embeddedTokens: (before?.embeddedTokens ?? 0) + own.sentEmbeddedTokens,
  estimated: 0,
})

/** The calls of jobs, by kind. `seen`: names of calls that an earlier row makes; those of this one are added. */
export function plannedCalls(
  calls: readonly ExpectedCalls[] | undefined,
  times: number,
  seen: Set<string>,
): PlannedCalls | undefined {
  if (!calls) return undefined
  const ahead = { ...noCalls }
  for (const { once, calls: made, embeddedTokens } of calls) {
    if (once !== undefined && seen.has(once)) continue
    // what rows share, repeats share too
    const factor = once === undefined ? times : Math.min(1, times)
    if (embeddedTokens.expected > 0) ahead.embed += factor * embeddedTokens.expected
    else ahead.complete += factor * made.expected
    if (once !== undefined) seen.add(once)
  }
  return { all: times * sum(calls.map(({ calls: made }) => made.expected)), ahead }
}
