import { zeroSentUsage, type PhaseUsage } from '../models/index.ts'
import type { Manifest } from '../records.ts'
import type { Phase, Usage } from '../types.ts'

/** Receives the progress of a run. */
export interface Progress {
  /** A stage begins, with this many outcomes. `calls` returns the counts of its calls. */
  start(stage: Stage, total: number, calls?: () => CallsSoFar): void
  /** What is worked on from now: a row, or a scorer. */
  at?(stage: Stage, subject: string): void
  /** An outcome is there; `failed`: it is a failure. */
  tick(stage: Stage, failed: boolean): void
  /** The models of the run that begins, with their prices. */
  models?(models: Manifest['models']): void
  end(stage: Stage): void
}

export type Stage = 'ask' | 'judge' | 'graph' | 'train'

export const silent: Progress = { start: () => undefined, tick: () => undefined, end: () => undefined }

/** What a stage of a run did. */
export interface Counts {
  readonly made: number
  /** Outcomes that were there before. */
  readonly kept: number
  readonly failed: number
}

/** What the scorers of a run did; `skipped`: of those made now, how many a scorer declined. */
export type ScoreCounts = Counts & { readonly skipped: number }

/** The counts of several parts together. */
export const addCounts = (parts: readonly Counts[]): Counts => ({
  made: parts.reduce((sum, { made }) => sum + made, 0),
  kept: parts.reduce((sum, { kept }) => sum + kept, 0),
  failed: parts.reduce((sum, { failed }) => sum + failed, 0),
})

export const addScores = (parts: readonly ScoreCounts[]): ScoreCounts => ({
  ...addCounts(parts),
  skipped: parts.reduce((sum, { skipped }) => sum + skipped, 0),
})

/** Progress of the calls of a stage. */
export interface CallsSoFar {
  /** Calls that were sent, by phase, with what they took; equal calls are sent once. */
  readonly sentUsage: Readonly<Partial<Record<Phase, Usage>>>
  readonly cached: number
  /** Indexes that are being built, with their calls done, where these can be seen. */
  readonly indexes: readonly { readonly row: string; readonly callsDone?: number }[]
}

/** Takes the usage of calls as they are made. */
export type OnUsage = (phase: Phase, more: Partial<PhaseUsage>) => void

export type CallCounts = ReturnType<typeof callCounts>

export function callCounts() {
  const indexes = new Set<{ readonly row: string; callsDone?: number }>()
  const sentUsage = new Map<Phase, Usage>()
  let cached = 0
  const onUsage: OnUsage = (phase, more) => {
    cached += more.cached ?? 0
    const usage = { ...zeroSentUsage, ...more }
    if (usage.sent === 0) return
    const before = sentUsage.get(phase)
    sentUsage.set(phase, {
      calls: (before?.calls ?? 0) + usage.sent,
      promptTokens: (before?.promptTokens ?? 0) + usage.sentPromptTokens,
      completionTokens: (before?.completionTokens ?? 0) + usage.sentCompletionTokens,
      embeddedTokens: (before?.embeddedTokens ?? 0) + usage.sentEmbeddedTokens,
      estimated: 0,
    })
  }
  return {
    onUsage,
    /** Builds an index of a row, which is listed in `indexes` while it is built. */
    async index<T>(row: string, work: (onUsage: OnUsage) => Promise<T>): Promise<T> {
      const index: { readonly row: string; callsDone?: number } = { row }
      indexes.add(index)
      try {
        return await work((phase, more) => {
          index.callsDone = (index.callsDone ?? 0) + (more.calls ?? 0)
          onUsage(phase, more)
        })
      } finally {
        indexes.delete(index)
      }
    },
    soFar: (): CallsSoFar => ({ sentUsage: Object.fromEntries(sentUsage), cached, indexes: [...indexes] }),
  }
}
