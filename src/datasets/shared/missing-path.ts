import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { placeOfPath } from '../../basics/path-places.ts'
import { UserError } from '../../errors.ts'
import { nearest } from '../../text/nearest.ts'

/** What was looked for, and what to do where nothing beside it has nearly its name. */
interface Missing {
  readonly what?: string
  readonly remedy?: string
}

/** The error for a path where nothing is: its place in the config where one names it, and what beside it was probably meant. */
export async function missingPath(
  path: string,
  { what = 'file or folder', remedy = 'correct this path' }: Missing = {},
): Promise<UserError> {
  const place = placeOfPath(path)
  const { written = path } = place ?? {}
  const near = await nearestBeside(path)
  const meant = near === undefined ? remedy : `did you mean "${written.replace(/[^/\\]+[/\\]*$/, () => near)}"?`
  if (!place) return new UserError(`${path}: no such ${what}; ${meant}`)
  // a variable may be in it that is not to be told
  const whole = near === undefined && written !== path && !written.includes('${') ? ` (full path: ${path})` : ''
  return new UserError(`${place.at}: no such ${what} "${written}"; ${meant}${whole}`)
}

async function nearestBeside(path: string): Promise<string | undefined> {
  const beside = await readdir(dirname(path)).catch(() => [])
  return nearest(basename(path), beside.filter((name) => !name.startsWith('.')).sort())
}
