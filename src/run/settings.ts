import { resolve } from 'node:path'
import type { ModelRole } from '../basics/roles.ts'
import type { ReadSettings } from '../config/index.ts'
import {
  spendingWithin,
  type OpenedModels,
  type SharedCalls,
  type Spending,
  type SpendingLimits,
} from '../models/index.ts'
import type { PlugInObjects } from './plug-ins/take-objects.ts'
import type { Profile } from './profile.ts'
import type { DatasetStatistics } from './prepare/survey.ts'
import type { ScorerEntry } from './prepare/scorer-entries.ts'
import type { Manifest } from '../records.ts'
import type { CallsSoFar } from './asking/call-counts.ts'

/** Where a run reads and writes, what it changes in the config, and when it stops; everything has a default. */
export interface RunSettings extends Partial<Omit<ReadSettings, 'environment'>> {
  /** Folder of all results (default: `results`). */
  readonly results?: string
  /** Folder of cached responses and of models built once (default: `.cache`). */
  readonly cacheFolder?: string
  /** Whether responses are cached on disk (default: true). */
  readonly cache?: boolean
  /** No limit by default; a run ends before the call that would exceed one. */
  readonly spend?: SpendingLimits
  /** Address of the Redis whose workers build indexes and ask questions; a config with objects refuses it. */
  readonly workers?: string
  readonly signal?: AbortSignal
  /** Told of every step. */
  readonly progress?: Progress
  /** Told at once, in a line, what does not stop a run but must be known; the result has it among its notes. */
  readonly warn?: (line: string) => void
}

/** The same with its defaults, and the internal state that the parts of a run share. */
export interface Settings
  extends
    Required<Pick<RunSettings, 'results' | 'cacheFolder' | 'cache' | 'signal'>>,
    Pick<RunSettings, 'workers' | 'warn'> {
  /** Called with the results folder before any call; an exception ends the run. */
  readonly begins?: (folder: string) => Promise<void>
  /** What the calls may spend; no limit where it is absent. */
  readonly spending?: Spending
  /** Records the time of the run, which then does one thing at a time. */
  readonly profile?: Profile
  /** Called with the key of every call, new or cached, at least once. */
  readonly onCall?: (key: string) => void
  /** The objects of the config. */
  readonly objects?: PlugInObjects
  /** What the runs of a series have read of their datasets, by the part of the plan that it depends on. */
  readonly statistics?: Map<string, DatasetStatistics>
  /** The calls that are shared with other processes of the same run. */
  readonly sharedCalls?: SharedCalls
}

/** The settings with their defaults; paths start from `cwd`. */
export function settingsFrom({
  results = 'results',
  cacheFolder = '.cache',
  cache = true,
  spend,
  workers,
  signal = new AbortController().signal,
  warn,
  cwd = process.cwd(),
}: RunSettings): Settings {
  return {
    results: resolve(cwd, results),
    cacheFolder: resolve(cwd, cacheFolder),
    cache,
    signal,
    ...(spend && { spending: spendingWithin(spend) }),
    ...(workers !== undefined && { workers }),
    ...(warn && { warn }),
  }
}

/** Raised when no more may be begun: the run was ended, a limit is reached, or a model in a role is unusable. */
export function stopOf(
  { signal, spending }: Pick<Settings, 'signal' | 'spending'>,
  models: Pick<OpenedModels, 'watch'>,
  {
    roles,
    scorers,
  }: { readonly roles: readonly ModelRole[]; readonly scorers: readonly Pick<ScorerEntry, 'scorer'>[] },
): AbortSignal {
  const unusable = new AbortController()
  const isJudged = scorers.some(({ scorer }) => scorer.judge)
  models.watch(
    roles.filter((role) => role !== 'judge' || isJudged),
    (why) => unusable.abort(why),
  )
  return AbortSignal.any([signal, unusable.signal, ...(spending ? [spending.signal] : [])])
}

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
