import type { Printed } from '../../math/audit.ts'
import type { PaperCell, PaperColumn, PaperTable } from '../paper/paper-table.ts'

/** A cell that has a number. */
export type Filled = PaperCell & { readonly value: number }

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
