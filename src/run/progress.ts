/** What a run tells while it works; `failed` counts outcomes that are failures. */
export interface Progress {
  start(stage: Stage, total: number): void
  tick(stage: Stage, failed: boolean): void
  end(stage: Stage): void
}

export type Stage = 'ask' | 'judge'

export const silent: Progress = { start: () => undefined, tick: () => undefined, end: () => undefined }

/** What a stage of a run did. */
export interface Counts {
  /** Outcomes made now. */
  readonly made: number
  /** Outcomes that were there before. */
  readonly kept: number
  /** Of those made now, how many failed. */
  readonly failed: number
}
