import { join, resolve } from 'node:path'
import { isRegularFile, readRegular } from '../basics/files.ts'
import { scrub } from '../errors.ts'
import { render, tableFiles } from '../report/render/formats.ts'
import { tableOf } from '../report/table/table.ts'
import { checksOf, openResults, type Check, type Results } from '../run/index.ts'
import type { ResultsPlace } from '../run/open-run.ts'

export interface VerifySettings extends ResultsPlace {
  /** Folder of cached responses, for a results folder without recorded responses (default: `.cache`). */
  readonly cacheFolder?: string
  /** Whether files, programs and addresses that the folder names may be followed (default: false). */
  readonly trust?: boolean
  readonly signal?: AbortSignal
}

export interface Verified {
  readonly folder: string
  /** Whether everything that could be checked is as it was, and everything could. */
  readonly ok: boolean
  readonly checks: readonly Check[]
}

export async function verify(
  name: string,
  {
    results: root = 'results',
    cacheFolder = '.cache',
    trust = false,
    signal = new AbortController().signal,
  }: VerifySettings = {},
): Promise<Verified> {
  const results = await openResults(name, root)
  const runs = results.runs ?? [results]
  const checks: Check[] = []
  for (const run of runs)
    checks.push(...(await checksOf(run, resolve(cacheFolder), trust, signal)).map(labelCheck(runs, run)))
  checks.push(...(await tables(results)))
  return { folder: results.folder, ok: checks.every(({ ok }) => ok !== false && ok !== null), checks }
}

/** Of a series each check names its run. */
const labelCheck =
  (runs: readonly Results[], { folder }: Results) =>
  (check: Check): Check =>
    runs.length > 1 ? { ...check, check: `${folder}: ${check.check}` } : check

/** Every table file, made again from the lines. */
async function tables(results: Results): Promise<readonly Check[]> {
  const { manifest, folder } = results
  const table = await tableOf(manifest, results)
  const checks: Check[] = []
  for (const [format, file] of tableFiles) {
    const path = join(folder, file)
    const text = isRegularFile(path) ? await readRegular(path) : undefined
    if (text === undefined) {
      checks.push({ check: file, ok: null, message: 'no such file' })
      continue
    }
    const renderedLines = scrub(render(format, manifest, table)).split('\n')
    const lines = text.split('\n')
    const length = Math.max(renderedLines.length, lines.length)
    const at = Array.from({ length }).findIndex((_, line) => renderedLines[line] !== lines[line])
    const message = at < 0 ? 'unchanged when rendered again' : `differs when rendered again, first at ${file}:${at + 1}`
    checks.push({ check: file, ok: at < 0, message })
  }
  return checks
}
