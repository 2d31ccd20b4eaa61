import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'

/**
 * Adds the variables of the file `.env` in a folder to an environment; what is set there already stays. A folder of that name is none. Throws
 * UserError with the line that cannot be read, without what it says.
 */
export function readDotEnv(folder: string, environment: Record<string, string | undefined>): void {
  const file = join(folder, '.env')
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return
  const lines = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const [first, line = ''] = [at + 1, lines[at]]
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, rest = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/.exec(line) ?? []
    let written = rest
    while (isOpen(written) && at + 1 < lines.length) written += `\n${lines[++at] ?? ''}`
    const value = valueOf(written)
    if (name === undefined || value === undefined)
      throw new UserError(
        `.env:${first}: cannot be read; expected NAME=value, the value in quotes where it has spaces or "#"`,
      )
    if (environment[name] === undefined) environment[name] = value
  }
}

/** Whether a quoted value goes on in the next line. */
const isOpen = (written: string): boolean => /^\s*(?:"[^"]*|'[^']*)$/.test(written)

/** The value without its quotes or the comment behind it; undefined where a quote is not closed. */
function valueOf(written: string): string | undefined {
  const quoted = /^\s*(?:"([^"]*)"|'([^']*)')\s*(?:#.*)?$/.exec(written)
  if (quoted) return quoted[1]?.replaceAll('\\n', '\n') ?? quoted[2]
  return /^\s*["']/.test(written) ? undefined : written.replace(/\s+#.*$/, '').trim()
}
