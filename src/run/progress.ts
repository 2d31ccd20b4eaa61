import type { Manifest } from '../records.ts'
import type { CallsSoFar } from './asking/call-counts.ts'

/** What a run tells while it works. */
export interface Progress {
  /** A stage begins, of so many outcomes. `calls` tells at any time how its calls stand. */
  start(stage: Stage, total: number, calls?: () => CallsSoFar): void
  /** What is worked on from now: a row, or a scorer. */
  at?(stage: Stage, what: string): void
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

/** What the scorers of a run did. */
export interface ScoreCounts extends Counts {
  /** Of those made now, how many a scorer declined, such as for want of a right answer. */
  readonly skipped: number
}

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
