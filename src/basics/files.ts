import { existsSync, lstatSync, mkdirSync, readFileSync, rmdirSync, statSync, type Stats } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf, UserError } from '../errors.ts'

/** The folder of this package, with its package.json, configs and sample data: the code may lie in any folder of it. */
export const packageFolder = above(import.meta.dirname)

/** The folder that the running code was loaded from: `src`, or what is built of it. */
export const codeFolder = join(packageFolder, import.meta.filename.endsWith('.ts') ? 'src' : 'dist')

function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder))
}

/**
 * Makes a folder and those above it; gives those that it made, the innermost first. Throws what the file system throws,
 * and leaves none behind then; Node's own `recursive` never ends where a folder above refuses one, as /proc does.
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

/** The same for a folder that a person named. Throws UserError that says why, and what to do instead. */
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

function lookAt(path: string, look: typeof statSync = statSync): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false })
  } catch {
    // a file stands above it, or no path is like this
    return undefined
  }
}

const isFolder = (path: string): boolean => lookAt(path)?.isDirectory() === true

/**
 * What stands in a results or cache folder, which may come from somebody else; undefined where there is nothing. Throws
 * UserError for what is no regular file: a link may lead out of the folder, and a pipe or a device may have no end.
 */
export function regularFile(file: string): Stats | undefined {
  const found = lookAt(file, lstatSync)
  if (!found || found.isFile()) return found
  const what = found.isSymbolicLink() ? 'a link' : found.isDirectory() ? 'a folder' : 'a pipe or a device'
  throw new UserError(
    `${file}: is ${what}; results and cache folders hold regular files alone: put the file itself there`,
  )
}

/** The text of such a file; undefined where there is none. Throws UserError also for more than 256 MiB. */
export async function readRegular(file: string): Promise<string | undefined> {
  const found = regularFile(file)
  if (!found) return undefined
  if (found.size > 256 * 1024 ** 2) throw new UserError(`${file}: has ${found.size} bytes, more than it is to have`)
  return readFile(file, 'utf8')
}

/**
 * The bytes of a regular file of at most so many, read at once, which takes a tenth of the time of the same in turns;
 * undefined for anything else. Throws what the file system says.
 */
export function smallFile(file: string, most: number): Buffer | undefined {
  const found = statSync(file)
  return found.isFile() && found.size <= most ? readFileSync(file) : undefined
}

/** Whether a regular file stands there, or a link to one. */
export const isFile = (path: string): boolean => lookAt(path)?.isFile() === true

/** Whether a regular file stands there. */
export const isRegularFile = (file: string): boolean => lookAt(file, lstatSync)?.isFile() === true

/** What the file system said when a file was written, with its name, which Node may leave out. */
export const cannotWrite = (file: string, error: unknown): UserError =>
  new UserError(
    `${file}: cannot be written (${messageOf(error)}); what was written before is kept: make room, or name another folder`,
    { cause: error },
  )

/** Stands near the beginning of every file that `gembench graph` writes, so that it overwrites only its own. */
export const mark = 'made by gembench graph'

/** Stands near the beginning of every page that `gembench report` writes. */
export const reportMark = 'made by gembench report'

/** Stands at the beginning of every file of weights that `gembench train` writes. */
export const trainMark = 'made by gembench train'

/** The columns of a file of human labels, as `gembench judge sample` writes it. */
export const labelColumns = (withContext: boolean): readonly string[] => [
  ...['id', 'scorer', 'question', 'answer', 'reference'],
  ...(withContext ? ['context', 'verdict'] : ['verdict']),
]

/** The first bytes of a file, 200 or as many as are wanted, as text. Throws what the file system says. */
export async function beginningOf(file: string, bytes = 200): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Throws UserError where a file stands without the mark, or none can be written. `remedy` says what to do instead. */
export async function refuseForeignFile(
  file: string,
  own = mark,
  remedy = 'give another --output, or add --force',
): Promise<void> {
  const beginning = await whatStandsIn(file)
  if (beginning !== '' && !beginning.includes(own))
    throw new UserError(`${file}: was not made by this command and is not overwritten; ${remedy}`)
}

/** The first 200 bytes of a file; none where there is no file yet. */
async function whatStandsIn(file: string): Promise<string> {
  try {
    return !existsSync(file) && existsSync(dirname(file)) ? '' : await beginningOf(file)
  } catch (error) {
    throw new UserError(`${file}: cannot be written here (${messageOf(error)})`, { cause: error })
  }
}

/** Whether a file that begins so was written by gembench: a graph, a report, weights or human labels. */
export const isOfGembench = (beginning: string): boolean => graph.test(beginning) || labels.test(beginning)

const graph = new RegExp(
  `^(?:(?:<[^>]*>\\s*)?<!-- (?:${mark}|${reportMark}) -->|\\{\\s*"mark": ?"(?:${mark}|${trainMark})")`,
)
const headers = [true, false].map((withContext) => labelColumns(withContext).join('[,;\\t]'))
const labels = new RegExp(`^\\uFEFF?(?:${headers.join('|')})\\s*\\n`)

/** Where a config names a path (`gembench.yaml:2:24`), and what is written there. */
interface PathPlace {
  readonly at: string
  readonly written: string
}

const places = new Map<string, PathPlace>()

/** Remembers where a config names a path, for messages on it: who reads the path knows nothing of the config. */
export const rememberPlace = (path: string, place: PathPlace): void => void places.set(path, place)

/** Where the config that was read last names a path; undefined for one that no config names, such as an argument. */
export const placeOfPath = (path: string): PathPlace | undefined => places.get(path)
