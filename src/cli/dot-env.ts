import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { UserError } from '../errors.ts'

/**
 * The variables of the file `.env` in a folder; the environment of this process stays as it is. Throws UserError with
 * the first line that is no variable, without what it says.
 */
export function readDotEnv(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, '.env')
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return {}
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  // parseEnv passes over what it cannot read: what is left without the variables must be blank, or comments
  const left = text.replace(variable, (whole) => whole.replace(/[^\n]/g, ''))
  const at = left.split('\n').findIndex((line) => !/^\s*(#|$)/.test(line))
  if (at >= 0)
    throw new UserError(
      `.env:${at + 1}: cannot be read; expected NAME=value, the value in quotes where it has spaces or "#"`,
    )
  // parseEnv trims blanks, but no tabs
  return Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value.replace(/^\t+|\t+$/g, '')]],
    ),
  )
}

/** A variable with its value: in quotes, on one or several lines, or without quotes and "#". A comment may follow. */
const variable =
  /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*[ \t]*=[ \t]*(?:(["'])(?:(?!\1)[^])*\1[ \t]*(?:#.*)?|(?!["'])(?:[^#\n]*[^#\s])?(?:[ \t]+#.*|\s*?))$/gm
