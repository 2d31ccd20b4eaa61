import type { Manifest, MethodRecord, Row } from '../../records.ts'
import { isReferenceRow } from './reference-row.ts'

/**
 * Rows of the config that are no reference rows, and the baseline; of rows that differ in nothing but their labels one, the baseline if it is
 * among them.
 */
export function rowsToCompare({ methods, compare }: Manifest): readonly MethodRecord[] {
  const isBaseline = (row: MethodRecord): boolean => compare?.baseline !== undefined && isRow(row, compare.baseline)
  const rows = methods.filter((row) => (row.inConfig !== false && !isReferenceRow(row)) || isBaseline(row))
  return rows.filter((row) => {
    const equal = rows.filter(({ id }) => id === row.id)
    return row === (equal.find(isBaseline) ?? equal[0])
  })
}

/** Whether a row is the one of that name. */
export const isRow = (row: MethodRecord, { method, variant }: Row): boolean =>
  row.method === method && row.variant === variant

/** Each of the others with the baseline, or all pairs where there is none. */
export const pairsAmong = <T>(rows: readonly T[], baseline: T | undefined): readonly (readonly [T, T])[] =>
  baseline === undefined
    ? rows.flatMap((a, i) => rows.slice(i + 1).map((b) => [a, b] as const))
    : rows.filter((row) => row !== baseline).map((row) => [row, baseline] as const)
