import { digitsOf, numbersThatFit } from '../../math/audit.ts'
import type { NumberRange } from '../paper/form.ts'
import type { PaperCell, PaperTable } from '../paper/paper-table.ts'
import { cellsOf } from './cells.ts'

/** The numbers of things that the printed shares allow (GRIM: Brown and Heathers 2017). */
export interface AuditedShare extends NumberRange {
  /** What the columns are shares of. */
  readonly of: string
  readonly columns: readonly string[]
  /** How many printed shares there are. */
  readonly cells: number
  /** The numbers of the range of which every one of them is a whole number of things, rounded half up or half even. */
  readonly fits: readonly number[]
  /** Where nothing fits: the cells that no number of the range allows, even alone. */
  readonly misfits: readonly Pick<PaperCell, 'row' | 'column' | 'value'>[]
}

/** Every kind of share that a table names, within the range of the file or the one that was asked for. */
export const auditShares = (paper: PaperTable, asked?: NumberRange): readonly AuditedShare[] =>
  Object.entries(paper.shares).map(([of, { from, to }]) => {
    const columns = Object.entries(paper.columns).flatMap(([name, column]) =>
      'shareOf' in column && column.shareOf === of ? [{ name, ...column }] : [],
    )
    const shares = columns.flatMap(({ name, unit, decimals = 0 }) =>
      cellsOf(paper, name).map(({ row, column, value }) => ({
        cell: { row, column, value },
        digits: digitsOf(value, decimals),
        whole: (unit === 'percent' ? 100 : 1) * 10 ** decimals,
      })),
    )
    const range = asked ?? { from, to }
    const fitting = (some: typeof shares): readonly number[] => numbersThatFit(some, range.from, range.to)
    const fits = shares.length === 0 ? [] : fitting(shares)
    const misfits = fits.length > 0 ? [] : shares.filter((share) => fitting([share]).length === 0)
    const about = { of, ...range, columns: columns.map(({ name }) => name), cells: shares.length }
    return { ...about, fits, misfits: misfits.map(({ cell }) => cell) }
  })
