import type { Manifest } from '../records.ts'
import type { Table } from './table.ts'

/** A note where several judge runs gave the same means everywhere, so that their ± is not taken for certainty. */
export function judgeAgreement({ judgeRuns, scorers }: Manifest, { cells }: Table): readonly string[] {
  if (judgeRuns < 2) return []
  const judges = new Set(scorers.filter(({ judge }) => judge).map(({ scorer }) => scorer))
  const judged = cells.filter(({ scorer, runs }) => judges.has(scorer) && runs > 1)
  if (judged.length === 0 || judged.some(({ variance }) => variance !== 0)) return []
  return ['All judge runs agree: the judge is deterministic, and ±0.00 says nothing of its doubt.']
}
