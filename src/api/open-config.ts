import { resolve } from 'node:path'
import { readConfigs, readConfigValues, type Plan, type ReadSettings } from '../config/index.ts'
import { UserError } from '../errors.ts'
import { menus, spendingWithin, type Progress, type Settings } from '../run/index.ts'
import { type PlugInObjects, takeObjects } from '../run/plug-ins/take-objects.ts'
import type { RunConfig } from './config.ts'

/** What the calls of a run may spend; the run ends before the call that would exceed it. */
export interface Limits {
  readonly calls?: number
  readonly tokens?: number
  readonly usd?: number
}

/** Where a run reads and writes, what it changes in the config, and when it stops; everything has a default. */
export interface RunSettings extends Partial<Omit<ReadSettings, 'environment'>> {
  /** Folder of all results (default: `results`). */
  readonly results?: string
  /** Folder of kept calls and of models built once (default: `.cache`). */
  readonly cacheFolder?: string
  /** Whether calls are kept on disk (default: true). */
  readonly cache?: boolean
  /** No limit by default. */
  readonly spend?: Limits
  /** Address of the Redis whose workers build indexes and ask questions; a config with objects refuses it. */
  readonly workers?: string
  readonly signal?: AbortSignal
  /** Told of every step. */
  readonly progress?: Progress
  /** Told at once, in a line, what does not stop a run but must be known; the result has it among its notes. */
  readonly warn?: (line: string) => void
}

/** A config that was read: a plan for each of its runs, and where they read and write. */
export interface OpenedConfig {
  readonly plans: readonly Plan[]
  readonly settings: Settings
}

/** Reads a config, or files of one. Throws UserError with a line for each mistake. */
export async function openConfig(
  config: RunConfig | string | readonly string[],
  { results = 'results', cacheFolder = '.cache', cache = true, spend, workers, signal, warn, ...reading }: RunSettings,
): Promise<OpenedConfig> {
  const { cwd = process.cwd() } = reading
  const read: ReadSettings = { ...reading, cwd, environment: process.env }
  const settings: Settings = {
    results: resolve(cwd, results),
    cacheFolder: resolve(cwd, cacheFolder),
    cache,
    signal: signal ?? new AbortController().signal,
    ...(spend && { spending: spendingWithin(spend) }),
    ...(workers !== undefined && { workers }),
    ...(warn && { warn }),
  }
  if (isFiles(config)) return { plans: await readConfigs([config].flat(), read, menus), settings }
  const { config: named, objects } = takeObjects({ ...config })
  const plans = await readConfigValues(named, 'config', read, { ...menus, objects })
  const names = namesOf(objects)
  const [first] = names
  if (first !== undefined && workers !== undefined)
    throw new UserError(
      `workers: a run with ${first} cannot be given to workers, since they do not have the objects of this program; export it from a file and name the file`,
    )
  return { plans, settings: { ...settings, ...(names.length > 0 && { objects }) } }
}

const isFiles = (config: RunConfig | string | readonly string[]): config is string | readonly string[] =>
  typeof config === 'string' || Array.isArray(config)

/** That objects of the program are not in the results, in one line; none where the config has none. */
export function noteOnObjects({ objects }: Settings): readonly string[] {
  const names = objects ? namesOf(objects) : []
  if (names.length === 0) return []
  return [
    `${names.join(', ')}: of the program that ran this, and not in the results folder: "gembench verify" cannot replay ${names.length === 1 ? 'it' : 'them'}.`,
  ]
}

const namesOf = ({ datasets, methods, scorers, models }: PlugInObjects): readonly string[] =>
  [datasets, methods, scorers, models].flatMap((some) => [...some.keys()])
