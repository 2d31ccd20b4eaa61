import { mannWhitney } from '../../math/statistics/rank-tests.ts'
import type { PaperTable } from '../paper/paper-table.ts'

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
