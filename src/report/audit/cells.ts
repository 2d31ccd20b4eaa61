import type { Printed } from '../../math/audit.ts'
import type { PaperCell, PaperColumn, PaperTable } from '../paper/paper-table.ts'
import { mannWhitney } from '../../math/statistics/rank-tests.ts'
/** A cell that has a number. */
type Filled = PaperCell & { readonly value: number }

/** The cell of a row and a column, where the paper prints a number there. */
export function cellAt({ cells }: PaperTable, row: string, column: string): Filled | undefined {
  const found = cells.find((cell) => cell.row === row && cell.column === column)
  return found && isFilled(found) ? found : undefined
}

/** The cells of a column that have a number, in the order of the paper. */
export const cellsOf = ({ cells }: PaperTable, column: string): readonly Filled[] =>
  cells.filter((cell) => cell.column === column).filter(isFilled)

/** A cell with what rounding hides of it; undefined where the column does not say its decimal places. */
export const printedOf = ({ value }: Filled, { decimals }: PaperColumn): Printed | undefined =>
  decimals === undefined ? undefined : { value, decimals }

/** 1 where higher values of a column are better, -1 where lower ones are; of tokens, fewer are better. */
export const directionOf = (column: PaperColumn): 1 | -1 => ('better' in column && column.better === 'higher' ? 1 : -1)

/** A value as the paper prints it, as far as the file says. */
export const shownValue = (value: number, decimals: number | undefined): string =>
  decimals === undefined ? String(value) : value.toFixed(decimals)

const isFilled = (cell: PaperCell): cell is Filled => cell.value !== null

/** A p-value that the paper prints, beside that of the single runs that it lists. */
export interface AuditedP {
  readonly says: string
  readonly column: string
  readonly row: string
  readonly than: string
  readonly test: 'mann-whitney'
  readonly u: number
  /** One-sided: the runs of `row` are greater. */
  readonly p: number
  /** Null where the paper prints none. */
  readonly stated: number | null
  readonly verdict: 'agrees' | 'disagrees' | 'not checked'
}

/** The tests that the file states, computed again: Mann–Whitney as scipy.stats.mannwhitneyu computes it by default. */
export const auditPValues = (paper: PaperTable): readonly AuditedP[] =>
  paper.statements.flatMap((statement): readonly AuditedP[] => {
    if (statement.kind !== 'test') return []
    const { says, column, row, than, test, p: stated, decimals } = statement
    const runsOf = (name: string): readonly number[] =>
      paper.cells.find((cell) => cell.row === name && cell.column === column)?.perRun ?? []
    const { u1: u, p } = mannWhitney(runsOf(row), runsOf(than), { alternative: 'greater' })
    const found = { says, column, row, than, test, u, p, stated }
    if (stated === null) return [{ ...found, verdict: 'not checked' }]
    const agrees = Math.abs(p - stated) <= 10 ** -decimals / 2
    return [{ ...found, verdict: agrees ? 'agrees' : 'disagrees' }]
  })
