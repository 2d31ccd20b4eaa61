import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeNamedFolder, removeEmptyFolders } from '../../basics/files.ts'
import { UserError } from '../../errors.ts'
import { files } from './journal.ts'
import { lockFolder, requireLock } from './lock.ts'
import { readScores, readTrials } from './read-lines.ts'
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
      if (createdFolders.includes(folder) && error instanceof UserError && (await isEmptyRun(folder)))
        await removeRunFiles(folder)
      throw error
    } finally {
      await release()
    }
  } finally {
    removeEmptyFolders(createdFolders)
  }
}

/** Whether a folder holds no trial, no score and no failure. */
async function isEmptyRun(folder: string): Promise<boolean> {
  const { scores } = files(folder)
  try {
    requireLock(folder)
    for await (const { line, failure } of readTrials(folder)) if (line === 'trial' || failure) return false
    for await (const _score of readScores(scores)) return false
    return true
  } catch {
    // unreadable lines, or a folder that another run has taken over, are not ours to remove
    return false
  }
}

/** Removes the files of a run; ignores failures, since the error that ended the run is the one to report. */
async function removeRunFiles(folder: string): Promise<void> {
  for (const file of [...Object.values(files(folder)), join(folder, 'manifest.json'), join(folder, recordedCallsFile)])
    await rm(file, { force: true }).catch(() => undefined)
}
