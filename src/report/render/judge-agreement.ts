import type { Manifest } from '../../records.ts'
import type { Table } from '../table/table.ts'

/** A note where several judge runs gave the same means everywhere. */
export function judgeAgreement({ judgeRuns, scorers }: Manifest, { cells }: Table): readonly string[] {
  if (judgeRuns < 2) return []
  const judges = new Set(scorers.filter(({ judge }) => judge).map(({ scorer }) => scorer))
  const judged = cells.filter(({ scorer, judgeRuns: runs }) => judges.has(scorer) && runs > 1)
  if (judged.length === 0 || judged.some(({ judgeVariance }) => judgeVariance !== 0)) return []
  return ['All judge runs gave the same means: repeating the judge says nothing of its errors.']
}
