import { resolve } from 'node:path'
import type { ReadSettings } from '../config/index.ts'
import type { Manifest } from '../records.ts'
import type { Table } from '../report/table/table.ts'
import type { Progress } from '../run/index.ts'

/** Where a run reads and writes, what it changes in the config, and when it stops; everything has a default. */
export interface RunSettings extends Partial<Omit<ReadSettings, 'environment'>> {
  /** Folder of all results (default: `results`). */
  readonly results?: string
  /** Folder of kept calls and of models built once (default: `.cache`). */
  readonly cacheFolder?: string
  /** Whether calls are kept on disk (default: true). */
  readonly cache?: boolean
  readonly signal?: AbortSignal
  /** Told of every step. */
  readonly progress?: Progress
}

/** A finished run: its results folder, what the folder says of itself, and its table as numbers; those of the series where the config has several runs. */
export interface RunResult {
  readonly folder: string
  readonly manifest: Manifest
  readonly table: Table
  /** The results folders of the runs: one, or all those of the series. */
  readonly runs: readonly string[]
}

/**
 * Asks every question of every method of a config and scores the answers, as `gembench run` does: what is in the results folder already is
 * kept. The config is a path, several paths (later ones override earlier ones), or an object in the form of a config.
 * Where it varies keys of its own (`vary: { chunks.size: [100, 200] }`), every combination is a run, and the table is that of all.
 * Throws UserError for what a person can mend, and AbortError when stopped.
 *
 *     const { table } = await run({ name: 'mine', dataset: 'sample', methods: ['bm25', './my-method.ts'] })
 */
export async function run(config: string | readonly string[] | object, settings: RunSettings = {}): Promise<RunResult> {
  // loaded when needed: a plug-in that imports this package runs nothing
  const { readConfigs, readConfigValues } = await import('../config/index.ts')
  const { menus, openResults, runAll } = await import('../run/index.ts')
  const { tableOf } = await import('../report/table/table.ts')
  const { results = 'results', cacheFolder = '.cache', cache = true, signal, progress, ...reading } = settings
  const { cwd = process.cwd() } = reading
  const read: ReadSettings = { ...reading, cwd, environment: process.env }
  const files =
    typeof config === 'string' ? [config] : Array.isArray(config) ? (config as readonly string[]) : undefined
  const plans = await (files ? readConfigs(files, read, menus) : readConfigValues(config, 'config', read, menus))
  const places = { results: resolve(cwd, results), cacheFolder: resolve(cwd, cacheFolder), cache }
  const { folder, manifest, runs } = await runAll(
    plans,
    { ...places, signal: signal ?? new AbortController().signal },
    progress,
  )
  return { folder, manifest, runs, table: await tableOf(manifest, await openResults(folder, '')) }
}
