import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from '../records.ts'
import { runCharts } from '../report/figures/chart.ts'
import { figuresOf } from '../report/figures/figure.ts'
import { render, type Format } from '../report/render/formats.ts'
import { tableOf, type Table } from '../report/table/table.ts'
import { openResults, replaceFile, profiled, runAll, type Progress, type SeriesOutcome } from '../run/index.ts'
import type { OpenedConfig } from './open-config.ts'

const files: Readonly<Record<Format, string>> = {
  md: 'table.md',
  csv: 'table.csv',
  'usage-csv': 'usage.csv',
  latex: 'table.tex',
  json: 'table.json',
}

/** The formats that stand in a results folder, with their files. */
export const tableFiles = Object.entries(files) as readonly (readonly [Format, string])[]

/** Names of the tables in a folder, whether or not they are there, and of the figures that are. */
export async function tablePaths(folder: string): Promise<readonly string[]> {
  const figures = await readdir(join(folder, 'figures')).catch(() => [])
  return [...Object.values(files), ...figures.filter((name) => name.endsWith('.svg')).map((name) => `figures/${name}`)]
}

interface WrittenTables {
  readonly manifest: Manifest
  readonly table: Table
  /** Names of the files in `figures/`. */
  readonly figures: readonly string[]
}

/** Writes the tables and figures of a results folder, made from its lines, into it. */
export async function writeTables(folder: string): Promise<WrittenTables> {
  const results = await openResults(folder, '')
  const { manifest } = results
  const table = await tableOf(manifest, results)
  for (const [format, file] of tableFiles) {
    await replaceFile(join(folder, file), render(format, manifest, table))
  }
  return { manifest, table, figures: await writeFigures(join(folder, 'figures'), manifest, table) }
}

async function writeFigures(folder: string, manifest: Manifest, table: Table): Promise<readonly string[]> {
  const figures = figuresOf(manifest, table)
  const charts = runCharts(manifest, table)
  if (figures.length + charts.length === 0) return []
  const { drawChart, drawFigure } = await import('../report/figures/draw.ts')
  await mkdir(folder, { recursive: true })
  for (const figure of figures) await replaceFile(join(folder, `${figure.name}.svg`), await drawFigure(figure))
  for (const { name, chart } of charts) await replaceFile(join(folder, `${name}.svg`), await drawChart(chart))
  return [...figures, ...charts].map(({ name }) => `${name}.svg`)
}

/** What the runs of a config did, with their table as it was written. */
interface RanPlans extends SeriesOutcome, WrittenTables {}

/** Runs the plans of a config and writes the tables of every results folder. Throws as `run` does. */
export async function runPlans({ plans, settings }: OpenedConfig, progress?: Progress): Promise<RanPlans> {
  const writeOwn = async (folder: string): Promise<void> => {
    if (plans.length > 1) await writeTables(folder)
  }
  const outcome = await runAll(plans, settings, progress, writeOwn)
  return { ...outcome, ...(await profiled(settings.profile, 'tables', '', () => writeTables(outcome.folder))) }
}
