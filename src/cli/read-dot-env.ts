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
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const [, name, written = ''] = /^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(trimmed) ?? []
    const value = valueOf(written)
    if (name === undefined || value === undefined)
      throw new UserError(
        `.env:${index + 1}: cannot be read; expected NAME=value, the value in quotes where it has spaces or "#"`,
      )
    if (environment[name] === undefined) environment[name] = value
  }
}

/** The value without its quotes or the comment behind it; undefined where a quote is not closed. */
function valueOf(written: string): string | undefined {
  const quote = /^["']/.exec(written)?.[0]
  if (quote === undefined) return written.replace(/\s+#.*$/, '')
  const end = written.indexOf(quote, 1)
  if (end < 0 || !/^\s*(#.*)?$/.test(written.slice(end + 1))) return undefined
  const value = written.slice(1, end)
  return quote === '"' ? value.replaceAll('\\n', '\n') : value
}
