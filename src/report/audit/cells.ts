import { runNoise, type MeanOfRuns, type RunNoise, digitsOf, numbersThatFit } from '../../math/audit.ts'
import { varianceOfRuns } from '../paper/compare.ts'
import type { PaperCell, PaperTable } from '../paper/paper-table.ts'
import type { NumberRange } from '../paper/form.ts'

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

const isFilled = (cell: PaperCell): cell is Filled => cell.value !== null

/** `printed`: the variance stands in the paper, which may mean that of single runs or that of their mean. */
type PrintedRuns = MeanOfRuns & { readonly printed: boolean }

/** The mean of runs that a cell is; undefined where the paper prints no variance of it. */
export function meanOfRuns(paper: PaperTable, row: string, column: string): PrintedRuns | undefined {
  const where = paper.columns[column]
  const cell = cellAt(paper, row, column)
  const variance = cell && varianceOfRuns(cell)
  if (!where || !('runs' in where) || where.runs < 2 || !cell || variance === undefined) return undefined
  return { mean: cell.value, variance, runs: where.runs, printed: cell.variance !== undefined }
}

/** The noise if a variance is that of single runs; `asMeans`: if a printed one is that of the mean. */
export interface NoiseOfRuns extends RunNoise {
  readonly asMeans?: RunNoise
}

/** The first mean minus the second in the noise of their runs, by both readings of a printed variance. */
export function noiseOfRuns(first: PrintedRuns, second: PrintedRuns): NoiseOfRuns {
  const found = runNoise(first, second)
  if (!first.printed && !second.printed) return found
  const asMean = (one: PrintedRuns) => ({ ...one, variance: one.printed ? one.variance * one.runs : one.variance })
  return { ...found, asMeans: runNoise(asMean(first), asMean(second)) }
}

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
