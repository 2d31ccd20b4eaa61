import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeNamedFolder, refuseForeignFile, reportMark } from '../basics/files.ts'
import { UserError } from '../errors.ts'
import { graphPages } from '../report/page/graph-pages.ts'
import { makeReport } from '../report/page/make-report.ts'
import { tableOf } from '../report/table/table.ts'
import { replaceFile } from '../run/index.ts'
import { openRun, type ResultsPlace } from '../run/open-run.ts'
import type { Result } from '../report/result.ts'

export interface ReportSettings extends ResultsPlace {
  /** The page to write (default: `report.html`). */
  readonly output?: string
  /** Whether it holds what datasets and models wrote, such as questions and answers (default: true). */
  readonly texts?: boolean
  /** Folder for the figures of the page as SVG files (default: none are written). */
  readonly figures?: string
  /** Whether a file that is no report, or another figure, may be overwritten (default: false). */
  readonly force?: boolean
}

/** A results folder by its path or name, or what `run` or `table` gave, which is shown as it is. */
export type ReportedRun = string | Pick<Result, 'folder' | 'manifest' | 'table'>

/** A report that was written. */
export interface Report {
  readonly file: string
  /** In bytes. */
  readonly size: number
  /** The files of the figures. */
  readonly figures: readonly string[]
  /** What must be known of results folders changed after the run ended, a line each. */
  readonly notes: readonly string[]
}

export async function report(
  runs: ReportedRun | readonly ReportedRun[],
  { output = 'report.html', texts = true, force = false, figures, ...place }: ReportSettings = {},
): Promise<Report> {
  if (!force) await refuseForeignFile(output, reportMark, 'give another output, or force')
  const { page, notes } = await renderReport([runs].flat(), output, { texts, ...place })
  const svgs = page.figures.flatMap(({ name, svg }) =>
    figures === undefined ? [] : [{ file: join(figures, `${name}.svg`), text: svg }],
  )
  for (const { file, text } of force ? [] : svgs)
    if (existsSync(file) && (await readFile(file, 'utf8')) !== text)
      throw new UserError(`${file}: exists and is not overwritten; give another folder of figures, or force`)
  if (figures !== undefined) makeNamedFolder(figures, 'name another folder of figures')
  for (const { file, text } of [{ file: output, text: page.text }, ...svgs]) await replaceFile(file, text)
  return { file: output, size: Buffer.byteLength(page.text), figures: svgs.map(({ file }) => file), notes }
}

/** A report in memory, with addresses as seen from the file `output`. `runs`: those that it shows. */
export async function renderReport(
  runs: readonly ReportedRun[],
  output: string,
  { texts = true, ...place }: ResultsPlace & Pick<ReportSettings, 'texts'>,
) {
  if (runs.length === 0) throw new UserError('name at least one run')
  const reportedRuns = []
  for (const run of runs) reportedRuns.push(await openPageRun(run, dirname(output), place))
  const pageRuns = reportedRuns.map(({ run }) => run)
  const page = await makeReport(pageRuns, { texts })
  return { page, runs: pageRuns, notes: reportedRuns.flatMap(({ notes }) => notes) }
}

async function openPageRun(run: ReportedRun, from: string, place: ResultsPlace) {
  const { results, notes } = await openRun(typeof run === 'string' ? run : run.folder, place)
  const { manifest, table } =
    typeof run === 'string' ? { ...results, table: await tableOf(results.manifest, results) } : run
  const graphs = await graphPages(results, from)
  return { run: { ...results, manifest, table, name: basename(results.folder), graphs }, notes }
}
