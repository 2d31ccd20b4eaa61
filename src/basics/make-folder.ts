import { mkdirSync, rmdirSync, statSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf, UserError } from '../errors.ts'

/**
 * Makes a folder and those above it; gives those that it made, the innermost first. Throws what the file system throws, and leaves none behind
 * then; Node's own `recursive` never ends where a folder above refuses one, as /proc does.
 */
export function makeFolder(folder: string): readonly string[] {
  if (isFolder(folder)) return []
  const above = dirname(folder) === folder ? [] : makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
    return [folder, ...above]
  } catch (error) {
    // another process may have been faster
    if (isFolder(folder)) return above
    removeEmptyFolders(above)
    throw error
  }
}

/** The same for a folder that a person named. Throws UserError that says why it cannot be made, and what to do instead. */
export function makeNamedFolder(folder: string, remedy: string): readonly string[] {
  try {
    return makeFolder(folder)
  } catch (error) {
    const file = fileOn(folder)
    const why = file === undefined ? `${folder}: cannot be made (${messageOf(error)})` : `${file}: is not a folder`
    throw new UserError(`${why}; ${remedy}`, { cause: error })
  }
}

/** Removes folders in this order, until one holds something or is not there. */
export function removeEmptyFolders(folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder)
  } catch {
    // what holds something stays
  }
}

/** What stands at a path, or above it, and is no folder. */
function fileOn(path: string): string | undefined {
  const found = lookAt(path)
  if (found) return found.isDirectory() ? undefined : path
  return dirname(path) === path ? undefined : fileOn(dirname(path))
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // a file stands above it, or no path is like this
    return undefined
  }
}

const isFolder = (path: string): boolean => lookAt(path)?.isDirectory() === true
