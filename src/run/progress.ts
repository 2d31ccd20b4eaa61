/** What a run tells while it works; `failed` counts outcomes that are failures. */
export interface Progress {
  start(stage: Stage, total: number): void
  tick(stage: Stage, failed: boolean): void
  end(stage: Stage): void
}

export type Stage = 'ask' | 'judge'

export const silent: Progress = { start: () => undefined, tick: () => undefined, end: () => undefined }
