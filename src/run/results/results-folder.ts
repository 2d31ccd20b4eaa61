import { existsSync } from 'node:fs'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeNamedFolder, readRegular, regularFile, removeEmptyFolders } from '../../basics/files.ts'
import { UserError } from '../../errors.ts'
import { files } from './journal.ts'
import { lockFolder, requireLock } from './lock.ts'
import { recordedCallsFile } from './recorded-calls.ts'

/**
 * Creates and locks a results folder while `work` runs; a new folder is removed if a UserError ends the run
 * before the first trial. Throws as `lockFolder`, and what `work` throws.
 */
export async function withResultsFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const createdFolders = makeNamedFolder(folder, 'name another folder with --results')
  try {
    const release = await lockFolder(folder)
    try {
      return await work()
    } catch (error) {
      const isNew = createdFolders.includes(folder) && error instanceof UserError && (await isEmptyRun(folder))
      for (const file of isNew ? [...Object.values(files(folder)), ...runFiles.map((name) => join(folder, name))] : [])
        // the error that ended the run is the one to report
        await rm(file, { force: true }).catch(() => undefined)
      throw error
    } finally {
      await release()
    }
  } finally {
    removeEmptyFolders(createdFolders)
  }
}

const runFiles = ['manifest.json', recordedCallsFile]

/** Whether a folder holds no trial, no score and no failure. */
async function isEmptyRun(folder: string) {
  const { trials, scores } = files(folder)
  try {
    requireLock(folder)
    const lines = (await readRegular(trials)) ?? ''
    return !/^\{"line":"trial"|"failure":/m.test(lines) && !regularFile(scores)?.size
  } catch {
    // a folder that another run has taken over is not ours to remove
    return false
  }
}

/**
 * Moves results folders from `source` to `results`; earlier ones of these names move to `results/earlier-N`, which is
 * returned, if any. Throws UserError if another process uses a folder.
 */
export async function archiveResults(
  source: string,
  results: string,
  names: readonly string[],
): Promise<string | undefined> {
  const earlier = names.filter((name) => existsSync(join(results, name)))
  for (const name of earlier) {
    const release = await lockFolder(join(results, name))
    await release()
  }
  let number = 1
  while (existsSync(join(results, `earlier-${number}`))) number++
  const archive = earlier.length > 0 ? join(results, `earlier-${number}`) : undefined
  if (archive !== undefined) await mkdir(archive)
  if (archive !== undefined) for (const name of earlier) await rename(join(results, name), join(archive, name))
  for (const name of names) await rename(join(source, name), join(results, name))
  // stays if it holds an interrupted run of another config
  await rmdir(source).catch(() => undefined)
  return archive
}
