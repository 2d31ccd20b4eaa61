import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { packageFolder } from '../../../basics/files.ts'
import { readData } from '../../../config/index.ts'
import { UserError } from '../../../errors.ts'
import { paperTable } from '../../../report/paper/paper-table.ts'
import type { PaperTable } from '../../../report/paper/schema.ts'
import { unknownName } from '../../../text/names.ts'

const tablesFolder = join(packageFolder, 'configs', 'paper')

/** The names of the tables in this package. */
export async function paperNames(): Promise<readonly string[]> {
  const files = await readdir(tablesFolder).catch(() => [])
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort()
}

/**
 * Reads a table by name or file; `file` is relative to the working directory. Throws UserError for an unknown name or
 * an invalid file.
 */
export async function readPaper(name: string): Promise<{ readonly file: string; readonly paper: PaperTable }> {
  if (!name.endsWith('.json') && !(await paperNames()).includes(name))
    throw new UserError(unknownName('table', name, await paperNames()))
  const file = name.endsWith('.json') ? name : relative(process.cwd(), join(tablesFolder, `${name}.json`))
  return { file, paper: await readData(file, process.cwd(), paperTable) }
}
