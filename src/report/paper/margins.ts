import { columnsOf, type Measure } from './claims.ts'
import type { PaperTable } from './paper-table.ts'

/**
 * What counts as no difference to a value, in the unit of the column: as the claim says, else the column's tolerance.
 */
export function marginOf(
  { columns }: Pick<PaperTable, 'columns'>,
  measure: Measure,
  stated: number | string | undefined,
  value: number,
): number {
  const allowed = stated ?? columns[columnsOf(measure)[0] ?? '']?.tolerance
  if (allowed === undefined) throw new Error('a checked table lacks a column')
  return typeof allowed === 'number' ? allowed : (Math.abs(value) * Number.parseFloat(allowed)) / 100
}
