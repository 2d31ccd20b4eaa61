import { runNoise, type MeanOfRuns, type RunNoise } from '../../math/audit.ts'
import type { PaperTable } from '../paper/paper-table.ts'
import { varianceOfRuns } from '../paper/variance-of-runs.ts'
import { cellAt, cellsOf, directionOf } from './cells.ts'

/** Two rows of a column, the better one first, in the noise of their runs. `exceeds`: their difference is larger than runs alone explain. */
export interface NoisyPair extends RunNoise {
  readonly better: string
  readonly worse: string
}

/** The pairs of a column whose variances over runs are printed, best rows first; reference rows are left out. */
export interface AuditedNoise {
  readonly column: string
  readonly runs: number
  /** Ranked rows that have a number and no variance: nothing is said of them. */
  readonly without: readonly string[]
  readonly pairs: readonly NoisyPair[]
}

/** Every column in which two ranked rows or more have a variance over runs. */
export const auditNoise = (paper: PaperTable): readonly AuditedNoise[] =>
  Object.entries(paper.columns).flatMap(([column, where]) => {
    if (!('runs' in where)) return []
    const rows = cellsOf(paper, column).flatMap(({ row }) => (paper.rows[row]?.reference === false ? [row] : []))
    const ranked = rows
      .flatMap((row) => {
        const of = meanOfRuns(paper, row, column)
        return of ? [{ row, of }] : []
      })
      .sort((a, b) => directionOf(where) * (b.of.mean - a.of.mean))
    const pairs = ranked.flatMap((better, index) =>
      ranked
        .slice(index + 1)
        .map((worse) => ({ better: better.row, worse: worse.row, ...runNoise(better.of, worse.of) })),
    )
    const without = rows.filter((row) => !ranked.some((one) => one.row === row))
    return pairs.length === 0 ? [] : [{ column, runs: where.runs, without, pairs }]
  })

/** The noise between two cells of a column; undefined where the paper prints no variance of one of them. */
export function noiseBetween(paper: PaperTable, first: string, second: string, column: string): RunNoise | undefined {
  const [a, b] = [meanOfRuns(paper, first, column), meanOfRuns(paper, second, column)]
  return a && b && runNoise(a, b)
}

function meanOfRuns(paper: PaperTable, row: string, column: string): MeanOfRuns | undefined {
  const where = paper.columns[column]
  const cell = cellAt(paper, row, column)
  const variance = cell && varianceOfRuns(cell)
  if (!where || !('runs' in where) || where.runs < 2 || !cell || variance === undefined) return undefined
  return { mean: cell.value, variance, runs: where.runs }
}
