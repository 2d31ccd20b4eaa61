import type { RunNoise } from '../../math/audit.ts'
import { pairsOf, type Claim } from '../paper/claim.ts'
import type { PaperTable } from '../paper/paper-table.ts'
import type { Statement } from '../paper/statement.ts'
import { cellAt, cellsOf, directionOf } from './cells.ts'
import { noiseBetween } from './noise.ts'

/**
 * What the paper's cells say of a claim, the worst of its pairs. `does not hold`: the cells are the other way round. `within rounding`: the
 * same number is printed for both. `within run noise`: as claimed, but runs alone explain the difference. `no number`: a cell is empty.
 */
export type CellVerdict = 'does not hold' | 'no number' | 'within rounding' | 'within run noise' | 'holds'

/** Two rows of a column, of which the first is claimed to be above the second (or below it, where `sign` of the claim is -1). */
export interface AuditedPair {
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
export const auditClaims = (paper: PaperTable): readonly AuditedClaim[] => [
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
