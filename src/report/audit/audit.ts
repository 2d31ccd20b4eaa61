import { type Printed, sumAgrees, type Agreement } from '../../math/audit.ts'
import { mannWhitney } from '../../math/statistics/rank-tests.ts'
import type { NumberRange, Statement } from '../paper/form.ts'
import { directionOf, type PaperTable } from '../paper/paper-table.ts'
import { auditClaims, type AuditedClaim } from './audit-claims.ts'
import { cellAt, cellsOf, meanOfRuns, noiseOfRuns, type NoiseOfRuns, auditShares, type AuditedShare } from './cells.ts'

/** What the numbers of a published table say of each other. Nothing is run for it. */
export interface Audit {
  readonly shares: readonly AuditedShare[]
  readonly sums: readonly AuditedSum[]
  readonly noise: readonly AuditedNoise[]
  readonly claims: readonly AuditedClaim[]
  readonly pValues: readonly AuditedP[]
}

/** Audits a table; `numbers` replaces the ranges in which the file says that its numbers of things lie. */
export function audit(paper: PaperTable, numbers?: NumberRange): Audit {
  const shares = auditShares(paper, numbers)
  return {
    ...{ shares, sums: auditSums(paper), noise: auditNoise(paper) },
    ...{ claims: auditClaims(paper, shares), pValues: auditPValues(paper) },
  }
}

/** Two rows of a column, the better first. `exceeds`: their difference is larger than runs alone explain. */
interface NoisyPair extends NoiseOfRuns {
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
const auditNoise = (paper: PaperTable): readonly AuditedNoise[] =>
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
        .map((worse) => ({ better: better.row, worse: worse.row, ...noiseOfRuns(better.of, worse.of) })),
    )
    const without = rows.filter((row) => !ranked.some((one) => one.row === row))
    return pairs.length === 0 ? [] : [{ column, runs: where.runs, without, pairs }]
  })

/** A value as the paper prints it, as far as the file says. */
export const shownValue = (value: number, decimals: number | undefined): string =>
  decimals === undefined ? String(value) : value.toFixed(decimals)

/** A p-value that the paper prints, beside that of the single runs that it lists. */
export interface AuditedP {
  readonly says: string
  readonly place: string
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
    const { says, place, column, row, than, test, p: stated, decimals } = statement
    const runsOf = (name: string): readonly number[] =>
      paper.cells.find((cell) => cell.row === name && cell.column === column)?.perRun ?? []
    const { u1: u, p } = mannWhitney(runsOf(row), runsOf(than), { alternative: 'greater' })
    const found = { says, place, column, row, than, test, u, p, stated }
    if (stated === null) return [{ ...found, verdict: 'not checked' }]
    const agrees = Math.abs(p - stated) <= 10 ** -decimals / 2
    return [{ ...found, verdict: agrees ? 'agrees' : 'disagrees' }]
  })

/** A stated sum or mean. `low` to `high`: what its cells allow; it agrees where that meets what it was rounded from. */
export interface AuditedSum {
  readonly kind: 'sum' | 'mean' | 'mean of runs'
  readonly says: string
  readonly place?: string
  /** Rows and columns of which. */
  readonly where: string
  readonly stated: number | null
  readonly low: number | null
  readonly high: number | null
  readonly verdict: 'agrees' | 'disagrees' | 'not checked'
  /** Why it was not checked. */
  readonly reason?: string
}

/** The sums and means that the file states, and the means of the single runs that it lists. */
const auditSums = (paper: PaperTable): readonly AuditedSum[] => [
  ...paper.statements.flatMap((statement) => ('over' in statement ? sums(paper, statement) : [])),
  ...meansOfRuns(paper),
]

type Sum = Extract<Statement, { kind: 'sum' | 'mean' }>

/** A line for every row (or column) that has all of the numbers, or one that none has. */
function sums(paper: PaperTable, { kind, says, place, over, of, equals }: Sum): readonly AuditedSum[] {
  const lines = Object.keys(over === 'columns' ? paper.rows : paper.columns)
  const found = lines.flatMap((line): AuditedSum[] => {
    const at = (name: string): Printed | undefined =>
      over === 'columns' ? printedAt(paper, line, name) : printedAt(paper, name, line)
    const parts = of.map(at).filter((part) => part !== undefined)
    const stated = typeof equals === 'number' ? { value: equals } : at(equals)
    if (parts.length < of.length || !stated) return []
    const agreement = sumAgrees(parts, stated, kind === 'mean' ? of.length : 1)
    return [{ kind, says, place, where: line, stated: stated.value, ...agreementOf(agreement) }]
  })
  if (found.length > 0) return found
  const reason = `no ${over === 'columns' ? 'row' : 'column'} has all of these numbers with its decimals`
  const stated = typeof equals === 'number' ? equals : null
  return [{ kind, says, place, where: of.join(', '), stated, low: null, high: null, verdict: 'not checked', reason }]
}

/** The cells that are means of listed runs; the runs are taken to be rounded like the cell. */
const meansOfRuns = (paper: PaperTable): readonly AuditedSum[] =>
  paper.cells.flatMap(({ row, column, perRun }) => {
    const stated = printedAt(paper, row, column)
    if (!perRun || !stated) return []
    const runs = perRun.map((value) => ({ ...stated, value }))
    const agreement = sumAgrees(runs, stated, perRun.length)
    const says = `the cell is the mean of its ${perRun.length} runs`
    return [{ kind: 'mean of runs', says, where: `${column}: ${row}`, stated: stated.value, ...agreementOf(agreement) }]
  })

/** A cell with what rounding hides of it; undefined where the column does not say its decimal places. */
function printedAt(paper: PaperTable, row: string, column: string): Printed | undefined {
  const [cell, decimals] = [cellAt(paper, row, column), paper.columns[column]?.decimals]
  return cell && decimals !== undefined ? { value: cell.value, decimals } : undefined
}

const agreementOf = ({ agrees, low, high }: Agreement) =>
  ({ low, high, verdict: agrees ? 'agrees' : 'disagrees' }) as const
