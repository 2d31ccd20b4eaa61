import { runNoise, type MeanOfRuns, type RunNoise } from '../../math/audit.ts'
import { varianceOfRuns } from '../paper/compare.ts'
import type { PaperCell, PaperTable } from '../paper/paper-table.ts'

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
