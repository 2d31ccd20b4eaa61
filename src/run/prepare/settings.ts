import { isAbsolute, join, resolve } from 'node:path'
import type { ModelRole } from '../../basics/roles.ts'
import type { ReadSettings } from '../../config/index.ts'
import {
  limitUsage,
  type OpenedModels,
  type SharedCalls,
  type UsageLimiter,
  type UsageLimits,
} from '../../models/index.ts'
import type { PlugInObjects } from '../plug-ins/extract-objects.ts'
import type { DatasetStatistics } from './dataset-statistics.ts'
import type { Row, ScorerRecord } from '../../records.ts'
import type { Progress } from '../progress.ts'

/** Where a run reads and writes, what it changes in the config, and when it stops. */
export interface RunSettings extends Partial<Omit<ReadSettings, 'environment'>> {
  /** Folder of all results (default: `results`). */
  readonly results?: string
  /** Folder of cached responses and of models built once (default: `.cache`). */
  readonly cacheFolder?: string
  /** Whether responses are cached on disk (default: true). */
  readonly cache?: boolean
  /** No limit by default; a run ends before the call that would exceed one. */
  readonly spend?: UsageLimits
  /** Address of the Redis whose workers build indexes and ask questions; a config with objects refuses it. */
  readonly workers?: string
  readonly signal?: AbortSignal
  /** Told of every step. */
  readonly progress?: Progress
  /** Told at once, in a line, what does not stop a run but must be known. */
  readonly warn?: (line: string) => void
}

/** The state that the parts of a run share. */
interface RunState {
  /** Called with the results folder before any call; an exception ends the run. */
  readonly begins?: (folder: string) => Promise<void>
  /** Called with the scorers and rows of every run before any call; what it throws ends the run. */
  readonly inspect?: (scorers: readonly ScorerRecord[], rows: readonly Row[]) => void
  /** What the calls may spend; no limit where it is absent. */
  readonly usageLimiter?: UsageLimiter
  /** Called with the key of every call, new or cached, at least once. */
  readonly onCall?: (key: string) => void
  /** The objects of the config. */
  readonly objects?: PlugInObjects
  /** What the runs of a series have read of their datasets, by the part of the plan that it depends on. */
  readonly statistics?: Map<string, DatasetStatistics>
  /** The calls that are shared with other processes of the same run. */
  readonly sharedCalls?: SharedCalls
}

/** The settings of a run, with their defaults. */
export type Settings = RunSettings &
  RunState &
  Required<Pick<RunSettings, 'results' | 'cacheFolder' | 'cache' | 'signal'>>

/** Fills in defaults. */
export const withDefaults = ({
  results = 'results',
  cacheFolder = '.cache',
  cache = true,
  signal = new AbortController().signal,
  cwd = '',
  ...settings
}: RunSettings): Settings => ({
  ...settings,
  cwd,
  results: isAbsolute(results) ? results : join(cwd, results),
  cacheFolder: resolve(cwd, cacheFolder),
  cache,
  signal,
  ...(settings.spend && { usageLimiter: limitUsage(settings.spend) }),
})

/** Raised when the run was ended, a limit is reached, or a model in a role is unusable. */
export function stopOf(
  { signal, usageLimiter }: Pick<Settings, 'signal' | 'usageLimiter'>,
  models: OpenedModels,
  roles: readonly ModelRole[],
): AbortSignal {
  const unusable = new AbortController()
  models.watch(roles, (why) => unusable.abort(why))
  return AbortSignal.any([signal, unusable.signal, ...(usageLimiter ? [usageLimiter.signal] : [])])
}
