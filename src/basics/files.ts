import { existsSync, lstatSync, mkdirSync, rmdirSync, statSync, type Stats } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { failureOf, messageOf, UserError } from '../errors.ts'

/** The folder with this package's package.json, configs and sample data. */
export const packageFolder = above(import.meta.dirname)

/** The folder of the running code: `src` or `dist`. */
export const codeFolder = join(packageFolder, import.meta.filename.endsWith('.ts') ? 'src' : 'dist')

function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder))
}

/**
 * Creates a folder and its parents; returns the created ones, innermost first. Throws the file system's errors, after
 * removing what it created. Node's `recursive` loops forever where a parent such as /proc refuses a folder.
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

/** The same for a folder that the user named. Throws UserError. */
export function makeNamedFolder(folder: string, remedy: string): readonly string[] {
  try {
    return makeFolder(folder)
  } catch (error) {
    const file = fileOn(folder)
    const why = file === undefined ? `${folder}: cannot be made (${messageOf(error)})` : `${file}: is not a folder`
    throw new UserError(`${why}; ${remedy}`, { cause: error })
  }
}

/** Removes folders in this order, until one is not empty or missing. */
export function removeEmptyFolders(folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder)
  } catch {
    // not empty
  }
}

/** Gives a new temporary folder to `work`, and removes it afterwards. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gembench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function fileOn(path: string): string | undefined {
  const stats = lookAt(path)
  if (stats) return stats.isDirectory() ? undefined : path
  return dirname(path) === path ? undefined : fileOn(dirname(path))
}

function lookAt(path: string, look: typeof statSync = statSync): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false })
  } catch {
    // a parent is a file, or the path is invalid
    return undefined
  }
}

const isFolder = (path: string) => lookAt(path)?.isDirectory() === true

/** The stats of a file in a results or cache folder. Throws UserError for links, pipes and devices. */
export function regularFile(file: string): Stats | undefined {
  const stats = lookAt(file, lstatSync)
  if (!stats || stats.isFile()) return stats
  const kind = stats.isSymbolicLink() ? 'a link' : stats.isDirectory() ? 'a folder' : 'a pipe or a device'
  throw new UserError(
    `${file}: is ${kind}; results and cache folders hold regular files alone: put the file itself there`,
  )
}

/** The text of such a file; undefined where it does not exist. Throws UserError also above 256 MiB. */
export async function readRegular(file: string): Promise<string | undefined> {
  const stats = regularFile(file)
  if (!stats) return undefined
  if (stats.size > 256 * 1024 ** 2) throw new UserError(`${file}: has ${stats.size} bytes, more than it is to have`)
  return readFile(file, 'utf8')
}

/** Whether the path is a regular file, or a link to one. */
export const isFile = (path: string): boolean => lookAt(path)?.isFile() === true

export const isRegularFile = (file: string): boolean => lookAt(file, lstatSync)?.isFile() === true

/** The error of a failed write, with the file name, which Node may omit. */
export const cannotWrite = (file: string, error: unknown): UserError =>
  new UserError(
    `${file}: cannot be written (${messageOf(error)}); what was written before is kept: make room, or name another folder`,
    { cause: error },
  )

/** The mark of files by `gembench graph`, so that it overwrites only its own. */
export const mark = 'made by gembench graph'

/** The mark of pages by `gembench report`. */
export const reportMark = 'made by gembench report'

/** The mark of weights by `gembench train`. */
export const trainMark = 'made by gembench train'

/** The columns of label files by `gembench judge sample`. */
export const labelColumns = (withContext: boolean): readonly string[] => [
  ...['id', 'scorer', 'question', 'answer', 'reference'],
  ...(withContext ? ['context', 'verdict'] : ['verdict']),
]

/** The first bytes of a file, or all of a shorter one. Throws the file system's errors. */
export async function firstBytes(file: string, bytes: number): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The same as text. */
export const beginningOf = async (file: string, bytes = 200): Promise<string> =>
  (await firstBytes(file, bytes)).toString('utf8')

/** Throws UserError where a file without the mark exists, or none can be written. `remedy`: what to do instead. */
export async function refuseForeignFile(
  file: string,
  expectedMark = mark,
  remedy = 'give another --output, or add --force',
): Promise<void> {
  const isNew = !existsSync(file) && existsSync(dirname(file))
  const beginning = isNew
    ? expectedMark
    : await beginningOf(file).catch((error: unknown) => {
        throw failureOf(`${file}: cannot be written here`, error)
      })
  if (beginning !== '' && !beginning.includes(expectedMark))
    throw new UserError(`${file}: was not made by this command and is not overwritten; ${remedy}`)
}

/** Whether this is the beginning of a file by gembench: a page of a graph or report, weights or human labels. */
export const isOfGembench = (beginning: string): boolean => graph.test(beginning) || labels.test(beginning)

const graph = new RegExp(`^(?:(?:<[^>]*>\\s*)?<!-- (?:${mark}|${reportMark}) -->|\\{\\s*"mark": ?"${trainMark}")`)
const headers = [true, false].map((withContext) => labelColumns(withContext).join('[,;\\t]'))
const labels = new RegExp(`^\\uFEFF?(?:${headers.join('|')})\\s*\\n`)

/** Where a config names a path (`gembench.yaml:2:24`), and its literal text. */
interface PathPlace {
  readonly at: string
  readonly text: string
}

const places = new Map<string, PathPlace>()

/** Records where a config names a path, for messages by readers of the path. */
export const rememberPlace = (path: string, place: PathPlace): void => void places.set(path, place)

/** Where the last config names a path; undefined for other paths, such as arguments. */
export const placeOfPath = (path: string): PathPlace | undefined => places.get(path)
