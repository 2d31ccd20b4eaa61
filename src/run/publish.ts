import { copyFile, lstat, rm } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { isRegularFile, makeNamedFolder, readRegular, removeEmptyFolders } from '../basics/files.ts'
import { UserError } from '../errors.ts'
import { callsFile, callsFiles, callsIn, withKeptCalls, callsOf, exportCalls, lackingCalls } from './transfer-calls.ts'
import { files } from './results/journal.ts'
import type { Results } from './results/results.ts'
import { usedCallsFile } from './results/used-calls.ts'

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

interface Published {
  readonly run: Results
  readonly to: string
}

/**
 * Copies the lines and manifests of a run or series that has ended into a folder, with the calls that it used; returns
 * their number. Throws UserError where a run has not ended, was changed since, or the cache lacks a call of it, and
 * where the folder holds other files; then nothing is overwritten.
 */
export async function publish(results: Results, request: PublishRequest): Promise<number> {
  const { folder } = request
  const runs = (results.runs ?? [results]).map((run) => ({
    run,
    to: results.runs ? join(folder, basename(run.folder)) : folder,
  }))
  for (const { run } of runs) await refuseUnfinished(run)
  if (results.manifest.series && results.manifest.series.missing.length > 0)
    throw new UserError(
      `${results.folder}: runs of the series are missing: ${results.manifest.series.missing.join(', ')}`,
    )
  await refuseOtherPlaces(results, runs, request)
  let calls = 0
  for (const one of runs) calls += await publishRun(one, request)
  if (results.runs) await copy(join(results.folder, 'series.json'), join(folder, 'series.json'))
  return calls
}

const linesOf = (folder: string): readonly string[] => [...Object.values(files(folder)), join(folder, usedCallsFile)]

async function refuseOtherPlaces(
  results: Results,
  runs: readonly Published[],
  { folder, beside = [] }: PublishRequest,
): Promise<void> {
  const { manifest } = results
  if (results.runs)
    await refuseOthers({ folder, record: 'series.json', name: manifest.name, hash: manifest.hash, files: beside })
  for (const { run, to } of runs) {
    const lines = [...linesOf(to).map((file) => basename(file)), ...callsFiles]
    const all = results.runs ? lines : [...lines, ...beside]
    const { name, hash } = run.manifest
    await refuseOthers({ folder: to, record: 'manifest.json', name, hash, files: all })
  }
}

/** The calls come first: where one is missing, nothing else is written. */
async function publishRun(
  { run, to }: Published,
  { cacheFolder, calls = true, warn }: PublishRequest,
): Promise<number> {
  const made = makeNamedFolder(to, 'name a folder to publish into')
  try {
    const keys = await callsOf(run)
    const published = callsIn(run.folder)
    const isLacking = async (kept = cacheFolder): Promise<boolean> => (await lackingCalls(run, kept)).lacking > 0
    if (calls && published !== undefined && !(await withKeptCalls(run.folder, cacheFolder, isLacking)))
      await copy(published, join(to, basename(published)))
    else if (calls) await exportCalls(cacheFolder, join(to, callsFile), { keys, ...(warn && { warn }) })
    for (const file of [join(run.folder, 'manifest.json'), ...linesOf(run.folder)])
      await copy(file, join(to, basename(file)))
    return keys.size
  } finally {
    removeEmptyFolders(made)
  }
}

async function refuseUnfinished({ folder, manifest, changed }: Results): Promise<void> {
  if (manifest.finished === null)
    throw new UserError(`${folder}: the run has not ended; run the config again to finish it`)
  const names = await changed()
  if (names.length > 0)
    throw new UserError(`${folder}: ${names.join(', ')} not as the run left it; run the config anew`)
}

/** A run without a scorer has no scores. A link that stands at the place is replaced, not followed. */
async function copy(from: string, to: string): Promise<void> {
  if (relative(from, to) === '' || !isRegularFile(from)) return
  await rm(to, { force: true })
  await copyFile(from, to)
}

/** The results that are about to be written into a folder, and the names of all their files there. */
interface Place {
  readonly folder: string
  readonly record: 'manifest.json' | 'series.json'
  readonly name: string
  readonly hash: string
  readonly files: readonly string[]
}

/** Throws UserError where a folder holds other results than these, or one of their files without being of them. */
async function refuseOthers({ folder, record, name, hash, files }: Place): Promise<void> {
  const wanted = `${record} ${name}-${hash}`
  const found = [await resultsIn(folder, 'manifest.json'), await resultsIn(folder, 'series.json')].filter(Boolean)
  const other = found.find((one) => one !== wanted)
  if (other !== undefined)
    throw new UserError(
      `${folder}: holds other results, ${other.replace(/^\S+ /, '')}, which are not overwritten; name another folder`,
    )
  if (found.length > 0) return
  for (const file of files) if (await isThere(join(folder, file))) throw notOurs(join(folder, file))
}

/** The name of the file and of its results; undefined where there is none. Throws UserError for one not of gembench. */
async function resultsIn(folder: string, file: Place['record']): Promise<string | undefined> {
  const path = join(folder, file)
  if (!(await isThere(path))) return undefined
  const { name, hash } = await recordIn(path)
  if (typeof name !== 'string' || typeof hash !== 'string') throw notOurs(path)
  return `${basename(path)} ${name}-${hash}`
}

async function recordIn(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return Object(JSON.parse((await readRegular(file)) ?? '')) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}

const notOurs = (file: string): UserError =>
  new UserError(`${file}: was not made by this command and is not overwritten; name another folder`)

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
