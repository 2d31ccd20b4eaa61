import { lstat, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UserError } from '../errors.ts'

/** What is about to be written into a folder: the results of a run or of a series, and the names of all their files there. */
export interface Place {
  readonly folder: string
  readonly record: 'manifest.json' | 'series.json'
  readonly name: string
  readonly hash: string
  readonly files: readonly string[]
}

/** Throws UserError where a folder holds other results than these, or one of their files without being of them. */
export async function refuseOthers({ folder, record, name, hash, files }: Place): Promise<void> {
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

/** The name of the file and of the results that it tells of; undefined where there is none. Throws UserError for one that is not of gembench. */
async function resultsIn(folder: string, file: Place['record']): Promise<string | undefined> {
  const path = join(folder, file)
  if (!(await isThere(path))) return undefined
  const { name, hash } = await recordIn(path)
  if (typeof name !== 'string' || typeof hash !== 'string') throw notOurs(path)
  return `${basename(path)} ${name}-${hash}`
}

async function recordIn(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return Object(JSON.parse(await readFile(file, 'utf8'))) as Readonly<Record<string, unknown>>
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
