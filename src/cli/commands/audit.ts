import pc from 'picocolors'
import { UserError } from '../../errors.ts'
import { audit } from '../../report/audit/audit.ts'
import { auditSections } from '../../report/audit/sections.ts'
import { largestNumber, numberRange, type NumberRange } from '../../report/paper/form.ts'
import { readPaper } from '../paper-tables.ts'
import { print, printJson, type JsonFlag } from '../terminal/print.ts'
import { plain } from '../../text/plain.ts'
import { terminalGrid } from '../terminal/terminal-grid.ts'

export interface AuditFlags extends JsonFlag {
  readonly n?: string
}

/** `gembench audit`: what the numbers of a published table say of each other. What it finds is no error: exit code 0. */
export async function auditCommand(name: string, { n, json }: AuditFlags): Promise<void> {
  const { file, paper } = await readPaper(name)
  const found = audit(paper, n === undefined ? undefined : rangeOf(n))
  if (json) {
    printJson({ file, paper: paper.paper, table: paper.table, ...found })
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
