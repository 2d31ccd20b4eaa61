import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { packageFolder } from '../../../basics/files.ts'
import { readData } from '../../../config/index.ts'
import { UserError } from '../../../errors.ts'
import { paperTable, type PaperTable } from '../../../report/paper/paper-table.ts'
import { unknownName } from '../../../text/names.ts'

const shelf = join(packageFolder, 'configs', 'paper')
/** A table of a paper and the file that it was read from, as shown to a person. */
interface LoadedPaperTable {
  readonly file: string
  readonly paper: PaperTable
}

/** The tables that come with this package, by name. */
export async function paperNames(): Promise<readonly string[]> {
  const files = await readdir(shelf).catch(() => [])
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort()
}

/** The table of that name, or in a file. Throws UserError for an unknown name, and for what does not fit the form. */
export async function readPaper(name: string): Promise<LoadedPaperTable> {
  const own = name.endsWith('.json')
  if (!own && !(await paperNames()).includes(name)) throw new UserError(unknownName('table', name, await paperNames()))
  const file = own ? name : shown(join(shelf, `${name}.json`))
  return { file, paper: await readData(file, process.cwd(), paperTable) }
}

/** A path below the working directory as seen from there, any other in full. */
function shown(file: string): string {
  const seen = relative(process.cwd(), file)
  return seen.startsWith('..') ? file : seen
}
