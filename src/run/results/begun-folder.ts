import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeNamedFolder, removeEmptyFolders } from '../../basics/files.ts'
import { UserError } from '../../errors.ts'
import { files } from './journal.ts'
import { elsewhere, lockFolder, refuseLost } from './lock.ts'
import { readScores, readTrials } from './read-lines.ts'
import { usedCallsFile } from './used-calls.ts'

/**
 * Makes and holds a results folder while something works in it. Where that ends with a mistake of a person before a
 * trial was answered, as with the wrong address of a server, and this made the folder, the folder goes again: the
 * mended config has another. Throws as `lockFolder`, and what `work` throws.
 */
export async function inResultsFolder<T>(
  folder: string,
  work: () => Promise<T>,
  warn?: (line: string) => void,
): Promise<T> {
  const made = makeNamedFolder(folder, elsewhere)
  try {
    const release = await lockFolder(folder, undefined, warn)
    try {
      return await work()
    } catch (error) {
      if (made.includes(folder) && error instanceof UserError && (await isUnasked(folder))) await removeBegun(folder)
      throw error
    } finally {
      await release()
    }
  } finally {
    removeEmptyFolders(made)
  }
}

/**
 * Whether a folder holds no trial, no score and no failure: at most what was said of indexes, whose calls are in the
 * cache.
 */
async function isUnasked(folder: string): Promise<boolean> {
  const { scores } = files(folder)
  try {
    refuseLost(folder)
    for await (const { line, failure } of readTrials(folder)) if (line === 'trial' || failure) return false
    for await (const _score of readScores(scores)) return false
    return true
  } catch {
    // a folder that another run has taken over, and lines that cannot be read, are somebody's
    return false
  }
}

/**
 * Whatever else stands there stays, and the folder with it; so does what cannot be removed: the error that ended the
 * work is the one to tell.
 */
async function removeBegun(folder: string): Promise<void> {
  for (const file of [...Object.values(files(folder)), join(folder, 'manifest.json'), join(folder, usedCallsFile)])
    await rm(file, { force: true }).catch(() => undefined)
}
