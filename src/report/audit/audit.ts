import {
  runNoise,
  type MeanOfRuns,
  type RunNoise,
  numbersThatFit,
  digitsOf,
  type Printed,
  relativeAgrees,
  sumAgrees,
  type Agreement,
} from '../../math/audit.ts'
import { mannWhitney } from '../../math/statistics/rank-tests.ts'
import { varianceOfRuns } from '../paper/compare.ts'
import { type NumberRange, pairsOf, type Claim, type Statement } from '../paper/form.ts'
import type { PaperTable, PaperCell, PaperColumn } from '../paper/paper-table.ts'

/** What the numbers of a published table say of each other. Nothing is run for it. */
export interface Audit {
  readonly shares: readonly AuditedShare[]
  readonly sums: readonly AuditedSum[]
  readonly noise: readonly AuditedNoise[]
  readonly claims: readonly AuditedClaim[]
  readonly pValues: readonly AuditedP[]
}

/** Audits a table; `numbers` replaces the ranges in which the file says that its numbers of things lie. */
export const audit = (paper: PaperTable, numbers?: NumberRange): Audit => ({
  shares: auditShares(paper, numbers),
  sums: auditSums(paper),
  noise: auditNoise(paper),
  claims: auditClaims(paper),
  pValues: auditPValues(paper),
})

/** Two rows of a column, the better first. `exceeds`: their difference is larger than runs alone explain. */
interface NoisyPair extends RunNoise {
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
        .map((worse) => ({ better: better.row, worse: worse.row, ...runNoise(better.of, worse.of) })),
    )
    const without = rows.filter((row) => !ranked.some((one) => one.row === row))
    return pairs.length === 0 ? [] : [{ column, runs: where.runs, without, pairs }]
  })

/** The noise between two cells of a column; undefined where the paper prints no variance of one of them. */
function noiseBetween(paper: PaperTable, first: string, second: string, column: string): RunNoise | undefined {
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
const auditShares = (paper: PaperTable, asked?: NumberRange): readonly AuditedShare[] =>
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

/**
 * What the paper's cells say of a claim, the worst of its pairs. `does not hold`: the cells are the other way round.
 * `within rounding`: the same number is printed for both. `within run noise`: as claimed, but runs alone explain the
 * difference. `no number`: a cell is empty.
 */
type CellVerdict = 'does not hold' | 'no number' | 'within rounding' | 'within run noise' | 'holds'

/** Two rows of a column; the first is claimed to be above the second, or below where `sign` is -1. */
interface AuditedPair {
  readonly first: string
  readonly second: string
  readonly values: readonly [first: number | null, second: number | null]
  /** Where variances over runs are printed. */
  readonly noise?: RunNoise
  readonly verdict: CellVerdict
}

/** A claim, or a mark of the best rows, judged by the paper's own cells. */
export interface AuditedClaim {
  readonly claim: string
  /** Where its cells are; null where the file has no such column. */
  readonly column: string | null
  readonly verdict: CellVerdict
  readonly pairs: readonly AuditedPair[]
}

/** The claims and the marks of best rows, in the order of the file. */
const auditClaims = (paper: PaperTable): readonly AuditedClaim[] => [
  ...paper.claims.map((claim) => auditClaim(paper, claim)),
  ...paper.statements.flatMap((statement) => (statement.kind === 'best' ? [auditMark(paper, statement)] : [])),
]

function auditClaim(paper: PaperTable, claim: Claim): AuditedClaim {
  const column = Object.entries(paper.columns).find(
    ([, where]) => 'scorer' in where && keys.every((key) => where[key] === claim[key]),
  )?.[0]
  const pairs = pairsOf(claim).map(([first, second]) => auditPair(paper, column ?? '', first, second, 1))
  return { claim: claim.claim, column: column ?? null, verdict: worst(pairs), pairs }
}

const keys = ['run', 'scorer', 'metric', 'subset'] as const

/** Every marked row against the best of those that are not marked; reference rows do not count. */
function auditMark(paper: PaperTable, { says, column, rows }: Extract<Statement, { kind: 'best' }>): AuditedClaim {
  const where = paper.columns[column]
  const sign = where ? directionOf(where) : 1
  const [rival] = cellsOf(paper, column)
    .filter(({ row }) => !rows.includes(row) && paper.rows[row]?.reference === false)
    .sort((a, b) => sign * (b.value - a.value))
  const pairs = rival ? rows.map((row) => auditPair(paper, column, row, rival.row, sign)) : []
  return { claim: says, column, verdict: worst(pairs), pairs }
}

function auditPair(paper: PaperTable, column: string, first: string, second: string, sign: 1 | -1): AuditedPair {
  const values = [cellAt(paper, first, column)?.value ?? null, cellAt(paper, second, column)?.value ?? null] as const
  const noise = noiseBetween(paper, first, second, column)
  return { first, second, values, ...(noise && { noise }), verdict: verdictOf(values, noise, sign) }
}

function verdictOf([a, b]: AuditedPair['values'], noise: RunNoise | undefined, sign: 1 | -1): CellVerdict {
  if (a === null || b === null) return 'no number'
  if (a === b) return 'within rounding'
  if (sign * (a - b) < 0) return 'does not hold'
  return noise && !noise.exceeds ? 'within run noise' : 'holds'
}

const worstFirst = ['does not hold', 'no number', 'within rounding', 'within run noise', 'holds'] as const

const worst = (pairs: readonly AuditedPair[]): CellVerdict =>
  worstFirst.find((verdict) => pairs.some((pair) => pair.verdict === verdict)) ?? 'no number'

/** A cell that has a number. */
type Filled = PaperCell & { readonly value: number }

/** The cell of a row and a column, where the paper prints a number there. */
function cellAt({ cells }: PaperTable, row: string, column: string): Filled | undefined {
  const found = cells.find((cell) => cell.row === row && cell.column === column)
  return found && isFilled(found) ? found : undefined
}

/** The cells of a column that have a number, in the order of the paper. */
const cellsOf = ({ cells }: PaperTable, column: string): readonly Filled[] =>
  cells.filter((cell) => cell.column === column).filter(isFilled)

/** A cell with what rounding hides of it; undefined where the column does not say its decimal places. */
const printedOf = ({ value }: Filled, { decimals }: PaperColumn): Printed | undefined =>
  decimals === undefined ? undefined : { value, decimals }

/** 1 where higher values of a column are better, -1 where lower ones are; of tokens, fewer are better. */
const directionOf = (column: PaperColumn): 1 | -1 => ('better' in column && column.better === 'higher' ? 1 : -1)

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

/**
 * A sum, mean or percentage that the paper states, beside what its cells make. `low` to `high` is what the cells may
 * have been rounded from; they agree when it meets what the stated number may have been rounded from.
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
const auditSums = (paper: PaperTable): readonly AuditedSum[] => [
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
    return [{ kind, says, where: line, stated: stated.value, ...agreementOf(agreement) }]
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
  if (agreement) return { ...about, ...agreementOf(agreement) }
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
    return [{ kind: 'mean of runs', says, where: `${column}: ${row}`, stated: stated.value, ...agreementOf(agreement) }]
  })

function printedAt(paper: PaperTable, row: string, column: string): Printed | undefined {
  const [cell, where] = [cellAt(paper, row, column), paper.columns[column]]
  return cell && where && printedOf(cell, where)
}

const agreementOf = ({ agrees, low, high }: Agreement) =>
  ({ low, high, verdict: agrees ? 'agrees' : 'disagrees' }) as const
