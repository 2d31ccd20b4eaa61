import { UserError } from '../../errors.ts'
import type { MethodRecord } from '../../records.ts'
import { findRow, rowName } from '../../text/names.ts'
import type { DiffSide } from '../gather/outcomes.ts'

/**
 * The requested rows, or all rows of the same name, and the names that only one run has. Throws UserError for an
 * unknown row and where no row is common.
 */
export function pairRows(before: DiffSide, after: DiffSide) {
  const name = before.row ?? after.row
  if (name !== undefined) {
    // report a wrong name for the side that the user wrote it for
    const early = before.row === undefined ? rowOf(name, after) : undefined
    const old = rowOf(name, before)
    return { pairs: [{ before: old, after: early ?? rowOf(after.row ?? name, after) }], onlyBefore: [], onlyAfter: [] }
  }
  const rowsIn = ({ manifest }: DiffSide) => new Map(manifest.methods.map((row) => [rowName(row), row]))
  const rowsBefore = rowsIn(before)
  const rowsAfter = rowsIn(after)
  const pairs = [...rowsBefore].flatMap(([label, row]) => {
    const later = rowsAfter.get(label)
    return later ? [{ before: row, after: later }] : []
  })
  const onlyBefore = [...rowsBefore.keys()].filter((label) => !rowsAfter.has(label))
  const onlyAfter = [...rowsAfter.keys()].filter((label) => !rowsBefore.has(label))
  if (pairs.length > 0) return { pairs, onlyBefore, onlyAfter }
  const lists = `${before.name}: ${onlyBefore.join(', ')}; ${after.name}: ${onlyAfter.join(', ')}`
  throw new UserError(`no row is in both runs; name two of them as FOLDER#row (${lists})`)
}

function rowOf(name: string, { name: run, manifest }: DiffSide): MethodRecord {
  const row = findRow(name, manifest.methods)
  if (typeof row === 'string') throw new UserError(`${run}: ${row}`)
  return row
}
