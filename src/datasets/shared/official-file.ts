import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join, dirname } from 'node:path'
import { placeOfPath } from '../../basics/files.ts'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { byCodePoint } from '../../text/characters.ts'
import { nearest } from '../../text/names.ts'

/**
 * The file that `path` stands for: itself, or in a folder the first official name that is there, plain or with `.gz`.
 * Throws UserError with the `dataset` that `gembench data get` brings, or what may be done `otherwise`.
 */
export async function officialFile(
  path: string,
  names: readonly string[],
  dataset: string | null,
  otherwise = 'name a file',
): Promise<string> {
  const remedy = dataset === null ? 'put it into this folder' : `download it with "gembench data get ${dataset}"`
  const isInFolder = await isFolder(path)
  if (isInFolder === undefined) {
    const isOfficial = extname(path) === '' || names.includes(basename(path))
    throw await missingPath(path, { remedy: isOfficial ? remedy : 'correct dataset.path' })
  }
  if (!isInFolder) return path
  for (const name of names.flatMap((plain) => [plain, `${plain}.gz`])) {
    const file = join(path, name)
    if (await exists(file)) return file
  }
  const entries = (await readdir(path)).sort().slice(0, 5)
  const instead = entries.length === 0 ? 'it is empty' : `it contains ${entries.join(', ')}`
  throw new UserError(`${path}: no ${names.join(' or ')} in this folder (${instead}); ${remedy}, or ${otherwise}`)
}

/** The option of datasets that are published in parts; the key `split` of the section `dataset` says the same. */
export const split = <const S extends readonly [string, ...string[]]>(splits: S, usual: S[number]) =>
  z.enum(splits).default(usual).describe('Official part to read when the path is a folder')

/** Whether a path is that of a folder; undefined where nothing has it. */
export const isFolder = async (path: string): Promise<boolean | undefined> =>
  (await stat(path).catch(() => undefined))?.isDirectory()

/** Whether something has this path. */
export const exists = async (file: string): Promise<boolean> => (await isFolder(file)) !== undefined

/** The files of a folder whose names end so, in byte order. Throws UserError, with `form`, where none is there. */
export async function filesIn(folder: string, ending: string, form: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => {
    throw new UserError(`${folder}: no such folder; ${form}`)
  })
  const matches = names.filter((name) => name.endsWith(ending)).sort(byCodePoint)
  if (matches.length === 0) throw new UserError(`${folder}: contains no ${ending} file; ${form}`)
  return matches.map((name) => join(folder, name))
}

/** The error for a path that does not exist: its place in the config, and the nearest name, else the remedy. */
export async function missingPath(
  path: string,
  { kind = 'file or folder', remedy = 'correct this path' }: { readonly kind?: string; readonly remedy?: string } = {},
): Promise<UserError> {
  const place = placeOfPath(path)
  const { text: configuredPath = path } = place ?? {}
  const beside = await readdir(dirname(path)).catch(() => [])
  const near = nearest(basename(path), beside.filter((name) => !name.startsWith('.')).sort())
  const advice = near === undefined ? remedy : `did you mean "${configuredPath.replace(/[^/\\]+[/\\]*$/, () => near)}"?`
  const subject = place ? `${place.at}: no such ${kind} "${configuredPath}"` : `${path}: no such ${kind}`
  return new UserError(`${subject}; ${advice}`)
}
