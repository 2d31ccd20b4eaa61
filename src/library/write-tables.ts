import { mkdir, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Manifest } from '../records.ts'
import { drawFigures } from '../report/figures/sweep-charts.ts'
import { render, tableFiles } from '../report/render/formats.ts'
import { tableOf, type Table } from '../report/table/table.ts'
import { archiveResults, openResults, replaceFile, runAll, type SeriesOutcome } from '../run/index.ts'
import type { OpenedConfig } from '../run/open-config.ts'

/** Names of the tables in a folder, whether or not they are there, and of the figures that are. */
export async function tablePaths(folder: string): Promise<readonly string[]> {
  const figures = await readdir(join(folder, 'figures')).catch(() => [])
  return [
    ...tableFiles.map(([, file]) => file),
    ...figures.filter((name) => name.endsWith('.svg')).map((name) => `figures/${name}`),
  ]
}

interface WrittenTables {
  readonly manifest: Manifest
  readonly table: Table
  /** Names of the files in `figures/`. */
  readonly figures: readonly string[]
}

/** Writes the tables and figures of a results folder. `isValid`: this process has written or validated its lines. */
export async function writeTables(folder: string, isValid = false): Promise<WrittenTables> {
  const results = await openResults(folder, '', isValid)
  const { manifest } = results
  const table = await tableOf(manifest, results)
  for (const [format, file] of tableFiles) {
    await replaceFile(join(folder, file), render(format, manifest, table))
  }
  const figures = await drawFigures(manifest, table)
  if (figures.length > 0) await mkdir(join(folder, 'figures'), { recursive: true })
  const files = figures.map(({ name }) => `${name}.svg`)
  for (const { name, svg } of figures) await replaceFile(join(folder, 'figures', `${name}.svg`), svg)
  return { manifest, table, figures: files }
}

/** Runs the plans of a config and writes the tables of every results folder. Throws as `run` does. */
export async function runPlans({ plans, settings }: OpenedConfig): Promise<SeriesOutcome & WrittenTables> {
  const writeRunTables = async (folder: string): Promise<void> => {
    if (plans.length > 1) await writeTables(folder, true)
  }
  const outcome = await runAll(plans, settings, writeRunTables)
  const tables = await writeTables(outcome.folder, true)
  return { ...outcome, ...tables }
}

/**
 * Runs a config again from its first question. The new results replace the old ones when they are complete; `archive`
 * is the folder to which the old ones move. An interrupted run continues next time. Throws as `run` does.
 */
export async function runPlansAgain({ plans, settings }: OpenedConfig) {
  const { results } = settings
  const source = join(results, '.again')
  const outcome = await runPlans({ plans, settings: { ...settings, results: source } })
  const names = [...new Set([...outcome.runs, outcome.folder])].map((folder) => basename(folder))
  const archive = await archiveResults(source, results, names)
  const destination = (folder: string) => join(results, basename(folder))
  return { ...outcome, folder: destination(outcome.folder), runs: outcome.runs.map(destination), archive }
}
