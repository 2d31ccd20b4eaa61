import pc from 'picocolors'
import { UserError } from '../../../errors.ts'
import { audit } from '../../../report/audit/audit.ts'
import { auditSections } from '../../../report/audit/sections.ts'
import { largestNumber, numberRange, type NumberRange } from '../../../report/paper/form.ts'
import { print, printJson, type JsonFlag } from '../../terminal/print.ts'
import { plain } from '../../../text/characters.ts'
import { terminalGrid } from '../../terminal/terminal-grid.ts'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { packageFolder } from '../../../basics/files.ts'
import { readData } from '../../../config/index.ts'
import { paperTable, type PaperTable } from '../../../report/paper/paper-table.ts'
import { unknownName } from '../../../text/names.ts'

export interface AuditFlags extends JsonFlag {
  readonly n?: string
}

/** `gembench audit`: what the numbers of a published table say of each other; exit code 0. */
export async function auditCommand(name: string, { n, json }: AuditFlags): Promise<void> {
  const { file, paper } = await readPaper(name)
  const found = audit(paper, n === undefined ? undefined : rangeOf(n))
  if (json) {
    printJson({ file, paper: paper.paper, table: paper.table, ...found, notes: paper.notes })
    return
  }
  print(`${pc.bold(plain(paper.table))}  ${pc.dim(plain(paper.paper))}`)
  for (const { title, parts } of auditSections(paper, found)) {
    print(`\n${pc.bold(title)}`)
    for (const part of parts)
      if (typeof part === 'string') print(plain(part))
      else print(`${plain(part.title)}${part.grid.rows.length === 0 ? '' : `\n${terminalGrid(part.grid)}`}`)
  }
}

function rangeOf(text: string): NumberRange {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(text) ?? []
  const range = numberRange.safeParse({ from: Number(from), to: Number(to) })
  if (range.success) return range.data
  throw new UserError(`--n ${text}: must be two whole numbers from 1 to ${largestNumber}, such as 50..2086`)
}

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
