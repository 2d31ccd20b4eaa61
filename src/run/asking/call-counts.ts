import { addFields } from '../../basics/collections.ts'
import { createMeter, noneSent, type Meter, type PhaseUsage } from '../../models/index.ts'
import type { Phase, Usage } from '../../types.ts'

/** How the calls of a stage stand. */
export interface CallsSoFar {
  /** Calls that were sent, by phase, with what they took; equal calls are sent once. */
  readonly sent: Readonly<Partial<Record<Phase, Usage>>>
  readonly cached: number
  /** Indexes that are being built, with their calls done, where these can be seen. */
  readonly indexes: readonly { readonly row: string; readonly done?: number }[]
}

/** Counts the calls of one index or trial. */
export interface JobCalls {
  readonly onUsage: (phase: Phase, more: Partial<PhaseUsage>) => void
  /** The job is done; what its meter has beyond what was counted is counted now. */
  readonly end: (meter: Meter) => void
}

export type CallCounts = ReturnType<typeof callCounts>

/** No call yet. `areSeen`: calls count as they are made. */
export function callCounts(areSeen = true) {
  const indexes = new Set<{ readonly row: string; done: number }>()
  const sent = new Map<Phase, Usage>()
  let cached = 0

  const onUsage: JobCalls['onUsage'] = (phase, more) => {
    cached += more.cached ?? 0
    const own = { ...noneSent, ...more }
    if (own.sent > 0) sent.set(phase, added(sent.get(phase), own))
  }

  function begin(job: { readonly row: string; done: number }, phases: readonly Phase[]): JobCalls {
    const known = createMeter()
    const take: JobCalls['onUsage'] = (phase, more) => {
      job.done += more.calls ?? 0
      known.add(phase, more)
      onUsage(phase, more)
    }
    return {
      onUsage: take,
      end(meter) {
        for (const phase of phases) {
          const [all, before] = [meter.spent(phase), known.spent(phase)]
          if (all.calls > before.calls) take(phase, addFields({ ...all }, negative({ ...before })))
        }
        indexes.delete(job)
      },
    }
  }

  return {
    onUsage,
    /** An index of a row begins. */
    index(row: string): JobCalls {
      const job = { row, done: 0 }
      indexes.add(job)
      return begin(job, ['index'])
    },
    /** A question of a row begins. */
    trial: (row: string): JobCalls => begin({ row, done: 0 }, ['retrieve', 'answer']),
    soFar: (): CallsSoFar => ({
      sent: Object.fromEntries(sent),
      cached,
      indexes: [...indexes].map(({ row, done }) => ({ row, ...(areSeen && { done }) })),
    }),
  }
}

const negative = (numbers: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(numbers).map(([field, value]) => [field, -value]))

const added = (before: Usage | undefined, own: typeof noneSent): Usage => ({
  calls: (before?.calls ?? 0) + own.sent,
  promptTokens: (before?.promptTokens ?? 0) + own.sentPromptTokens,
  completionTokens: (before?.completionTokens ?? 0) + own.sentCompletionTokens,
  embeddedTokens: (before?.embeddedTokens ?? 0) + own.sentEmbeddedTokens,
  estimated: 0,
})
