import { existsSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { isRegularFile, makeNamedFolder, readRegular, removeEmptyFolders } from '../basics/files.ts'
import { UserError } from '../errors.ts'
import { callsFile, callsOf, exportCalls, withKeptCalls } from './transfer-calls.ts'
import { files } from './results/journal.ts'
import type { Results } from './results/results.ts'
import { recordedCallsFile } from './results/recorded-calls.ts'

/** Where a run is published, with the calls that it has used; a series with its runs within. */
interface PublishRequest {
  readonly folder: string
  readonly cacheFolder: string
  /** Whether the calls are written, too (default: true). */
  readonly calls?: boolean
  /** Names of the files that the caller writes into the folder, too. */
  readonly beside?: readonly string[]
  readonly warn?: (line: string) => void
}

/**
 * Copies a run or series that has ended into a folder, with the calls that it used; returns their number. Throws
 * UserError where a run has not ended or was changed, a call is missing, or the folder holds other files.
 */
export async function publish(results: Results, request: PublishRequest): Promise<number> {
  const { folder, beside = [] } = request
  const { series } = results.manifest
  const runs = results.runs ?? [results]
  for (const run of runs) await requireCompleteRun(run)
  if (series && series.missing.length > 0)
    throw new UserError(`${results.folder}: runs of the series are missing: ${series.missing.join(', ')}`)
  const targets = runs.map((run) => ({ run, to: results.runs ? join(folder, basename(run.folder)) : folder }))
  if (results.runs) await requireOurFolder(folder, 'series.json', results.manifest, beside)
  const names = [...lineFiles, callsFile, ...(results.runs ? [] : beside)]
  for (const { run, to } of targets) await requireOurFolder(to, 'manifest.json', run.manifest, names)
  let calls = 0
  for (const { run, to } of targets) calls += await publishRun(run, to, request)
  if (results.runs) await copy('series.json', results.folder, folder)
  return calls
}

const lineFiles: readonly string[] = [...Object.values(files('')), recordedCallsFile]

/** The calls are written first: where one is missing, the run is not published. */
async function publishRun(
  run: Results,
  to: string,
  { cacheFolder, calls = true, warn }: PublishRequest,
): Promise<number> {
  const createdFolders = makeNamedFolder(to, 'name a folder to publish into')
  try {
    const keys = await callsOf(run)
    const write = (source = cacheFolder) => exportCalls(source, join(to, callsFile), keys, warn)
    if (calls) await withKeptCalls(run.folder, cacheFolder, write)
    for (const name of ['manifest.json', ...lineFiles]) await copy(name, run.folder, to)
    return keys.size
  } finally {
    removeEmptyFolders(createdFolders)
  }
}

async function requireCompleteRun({ folder, manifest, changedFiles }: Results) {
  if (manifest.finished === null)
    throw new UserError(`${folder}: the run has not ended; run the config again to finish it`)
  const names = await changedFiles()
  if (names.length > 0)
    throw new UserError(`${folder}: ${names.join(', ')} changed since the run; run the config again`)
}

/** A run without a scorer has no scores. A link at the place is replaced, not followed. */
async function copy(name: string, from: string, to: string) {
  if (relative(from, to) === '' || !isRegularFile(join(from, name))) return
  await rm(join(to, name), { force: true })
  await copyFile(join(from, name), join(to, name))
}

async function requireOurFolder(
  folder: string,
  record: 'manifest.json' | 'series.json',
  { name, hash }: Results['manifest'],
  otherFiles: readonly string[],
): Promise<void> {
  const isThere = (file: string) => existsSync(join(folder, file))
  const isOurs = isThere(record) && `${name}-${hash}` === (await nameIn(join(folder, record)))
  const names = ['manifest.json', 'series.json', ...(isOurs ? [] : otherFiles)]
  const obstacle = names.find((file) => isThere(file) && !(isOurs && file === record))
  if (obstacle !== undefined)
    throw new UserError(
      `${join(folder, obstacle)}: is not of these results and is not overwritten; name another folder`,
    )
}

/** The name and hash of the results of a record. */
async function nameIn(file: string): Promise<string> {
  try {
    const { name, hash } = Object(JSON.parse((await readRegular(file)) ?? '')) as Readonly<Record<string, unknown>>
    return `${String(name)}-${String(hash)}`
  } catch {
    return ''
  }
}
