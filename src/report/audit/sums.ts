import { relativeAgrees, sumAgrees, type Agreement, type Printed } from '../../math/audit.ts'
import type { PaperTable } from '../paper/paper-table.ts'
import type { Statement } from '../paper/form.ts'
import { cellAt, printedOf } from './audit.ts'

/**
 * A sum, mean or percentage that the paper states, beside what its cells make. `low` to `high` is what the cells may have been rounded from;
 * they agree when it meets what the stated number may have been rounded from.
 */
export interface AuditedSum {
  readonly kind: 'sum' | 'mean' | 'relative' | 'mean of runs'
  readonly says: string
  /** Rows and columns of which. */
  readonly where: string
  readonly stated: number | null
  readonly low: number | null
  readonly high: number | null
  readonly verdict: 'agrees' | 'disagrees' | 'not checked'
  /** Why it was not checked. */
  readonly reason?: string
}

/** The sums, means and percentages that the file states, and the means of the single runs that it lists. */
export const auditSums = (paper: PaperTable): readonly AuditedSum[] => [
  ...paper.statements.flatMap((statement) => {
    if (statement.kind === 'relative') return [relative(paper, statement)]
    return statement.kind === 'sum' || statement.kind === 'mean' ? sums(paper, statement) : []
  }),
  ...meansOfRuns(paper),
]

type Sum = Extract<Statement, { kind: 'sum' | 'mean' }>

/** A line for every row (or column) that has all of the numbers, or one that none has. */
function sums(paper: PaperTable, { kind, says, over, of, equals }: Sum): readonly AuditedSum[] {
  const lines = Object.keys(over === 'columns' ? paper.rows : paper.columns)
  const found = lines.flatMap((line): AuditedSum[] => {
    const at = (name: string): Printed | undefined =>
      over === 'columns' ? printedAt(paper, line, name) : printedAt(paper, name, line)
    const parts = of.map(at).filter((part) => part !== undefined)
    const stated = typeof equals === 'number' ? { value: equals } : at(equals)
    if (parts.length < of.length || !stated) return []
    const agreement = sumAgrees(parts, stated, kind === 'mean' ? of.length : 1)
    return [{ kind, says, where: line, stated: stated.value, ...verdictOf(agreement) }]
  })
  if (found.length > 0) return found
  const reason = `no ${over === 'columns' ? 'row' : 'column'} has all of these numbers with its decimals`
  const stated = typeof equals === 'number' ? equals : null
  return [{ kind, says, where: of.join(', '), stated, low: null, high: null, verdict: 'not checked', reason }]
}

function relative(paper: PaperTable, statement: Extract<Statement, { kind: 'relative' }>): AuditedSum {
  const { kind, says, column, row, than, percent, decimals } = statement
  const [first, second] = [printedAt(paper, row, column), printedAt(paper, than, column)]
  const agreement = first && second && relativeAgrees(first, second, { value: percent, decimals })
  const about = { kind, says, where: `${column}: ${row}, ${than}`, stated: percent }
  if (agreement) return { ...about, ...verdictOf(agreement) }
  const reason = first && second ? `${than} may be 0 or less` : 'the paper prints no number for one of the rows'
  return { ...about, low: null, high: null, verdict: 'not checked', reason }
}

/** The cells that are means of listed runs; the runs are taken to be rounded like the cell. */
const meansOfRuns = (paper: PaperTable): readonly AuditedSum[] =>
  paper.cells.flatMap(({ row, column, perRun }) => {
    const decimals = paper.columns[column]?.decimals
    const stated = printedAt(paper, row, column)
    if (!perRun || !stated) return []
    const runs = perRun.map((value) => ({ value, ...(decimals !== undefined && { decimals }) }))
    const agreement = sumAgrees(runs, stated, perRun.length)
    const says = `the cell is the mean of its ${perRun.length} runs`
    return [{ kind: 'mean of runs', says, where: `${column}: ${row}`, stated: stated.value, ...verdictOf(agreement) }]
  })

function printedAt(paper: PaperTable, row: string, column: string): Printed | undefined {
  const [cell, where] = [cellAt(paper, row, column), paper.columns[column]]
  return cell && where && printedOf(cell, where)
}

const verdictOf = ({ agrees, low, high }: Agreement) =>
  ({ low, high, verdict: agrees ? 'agrees' : 'disagrees' }) as const
