import { join, resolve } from 'node:path'
import { readRegular } from '../basics/files.ts'
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
  const checks: Check[] = []
  for (const run of results.runs ?? [results]) {
    // of a series each check names its run
    const prefix = results.runs ? `${run.folder}: ` : ''
    for (const { check, ...outcome } of await checksOf(run, resolve(cacheFolder), trust, signal))
      checks.push({ check: `${prefix}${check}`, ...outcome })
  }
  checks.push(...(await tableChecks(results)))
  return { folder: results.folder, ok: checks.every(({ ok }) => ok !== false && ok !== null), checks }
}

/** Every table file, made again from the lines. */
async function tableChecks(results: Results): Promise<readonly Check[]> {
  const { manifest, folder } = results
  const table = await tableOf(manifest, results)
  return Promise.all(
    tableFiles.map(async ([format, check]): Promise<Check> => {
      const text = await readRegular(join(folder, check))
      if (text === undefined) return { check, ok: null, message: 'no such file' }
      const rendering = scrub(render(format, manifest, table))
      if (text === rendering) return { check, ok: true, message: 'unchanged when rendered again' }
      const lines = rendering.split('\n')
      const storedLines = text.split('\n')
      const at = storedLines.findIndex((line, index) => line !== lines[index])
      const place = `${check}:${1 + (at < 0 ? storedLines.length : at)}`
      return { check, ok: false, message: `differs when rendered again, first at ${place}` }
    }),
  )
}
