import { copyFile, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { makeFolder } from '../basics/make-folder.ts'
import { UserError } from '../errors.ts'
import { callsFile, callsIn } from './scoring/rescored-alike.ts'
import { files } from './results/journal.ts'
import type { Results } from './results/results.ts'
import { usedCallsFile } from './results/used-calls.ts'
import { callsOf, exportCalls, lackingCalls } from './transfer-calls.ts'

/** Where a run is published, with the calls that it has used; a series with its runs within. */
export interface PublishRequest {
  readonly folder: string
  readonly cacheFolder: string
  readonly warn?: (line: string) => void
}

/**
 * Copies the lines and the manifest of a run that has ended, or of the runs of a series, into a folder and writes the calls that they have used
 * beside them; returns the number of these. A folder that holds its calls already needs no cache. Throws UserError where a run has not ended, was changed since, or the cache lacks a call of it.
 */
export async function publish(results: Results, { folder, cacheFolder, warn }: PublishRequest): Promise<number> {
  const runs = (results.runs ?? [results]).map((run) => ({
    run,
    to: results.runs ? join(folder, basename(run.folder)) : folder,
  }))
  for (const { run } of runs) await refuseUnfinished(run)
  if (results.manifest.series && results.manifest.series.missing.length > 0)
    throw new UserError(
      `${results.folder}: runs of the series are missing: ${results.manifest.series.missing.join(', ')}`,
    )
  let calls = 0
  for (const { run, to } of runs) {
    makeFolder(to)
    const keys = await callsOf(run)
    for (const file of [
      ...Object.values(files(run.folder)),
      join(run.folder, 'manifest.json'),
      join(run.folder, usedCallsFile),
    ])
      await copy(file, join(to, basename(file)))
    const published = await callsIn(run.folder)
    if (published !== undefined && (await lackingCalls(run, published)).lacking === 0) {
      await copy(published, join(to, basename(published)))
      calls += keys.size
    } else calls += await exportCalls(cacheFolder, join(to, callsFile), { keys, ...(warn && { warn }) })
  }
  if (results.runs) await copy(join(results.folder, 'series.json'), join(folder, 'series.json'))
  return calls
}

async function refuseUnfinished({ folder, manifest, changed }: Results): Promise<void> {
  if (manifest.finished === null)
    throw new UserError(`${folder}: the run has not ended; run the config again to finish it`)
  const names = await changed()
  if (names.length > 0)
    throw new UserError(`${folder}: ${names.join(', ')} not as the run left it; run the config anew`)
}

/** A run without a scorer has no scores. */
async function copy(from: string, to: string): Promise<void> {
  if (relative(from, to) !== '' && (await stat(from).catch(() => undefined))) await copyFile(from, to)
}
