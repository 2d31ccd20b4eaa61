import type { NumberRange } from '../paper/number-range.ts'
import type { PaperTable } from '../paper/paper-table.ts'
import { auditClaims, type AuditedClaim } from './claims.ts'
import { auditNoise, type AuditedNoise } from './noise.ts'
import { auditPValues, type AuditedP } from './p-values.ts'
import { auditShares, type AuditedShare } from './shares.ts'
import { auditSums, type AuditedSum } from './sums.ts'

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
