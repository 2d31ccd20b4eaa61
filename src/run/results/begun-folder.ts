import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeNamedFolder, removeEmptyFolders } from '../../basics/files.ts'
import { UserError } from '../../errors.ts'
import { files } from './journal.ts'
import { lockFolder, requireLock } from './lock.ts'
import { readScores, readTrials } from './read-lines.ts'
import { recordedCallsFile } from './used-calls.ts'

/**
 * Makes and holds a results folder while `work` works in it; a new one goes again where a mistake of a person ends that
 * before a trial was answered. Throws as `lockFolder`, and what `work` throws.
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
    // a folder that another run has taken over, and lines that cannot be read, are somebody's
    return false
  }
}

/** Removes what was begun; what cannot be removed stays, since the error that ended the work is the one to tell. */
async function removeRunFiles(folder: string): Promise<void> {
  for (const file of [...Object.values(files(folder)), join(folder, 'manifest.json'), join(folder, recordedCallsFile)])
    await rm(file, { force: true }).catch(() => undefined)
}
