import { UserError } from '../../errors.ts'
import type { MethodRecord } from '../../records.ts'
import { findRow, rowName } from '../../text/names.ts'
import type { DiffSide } from '../gather/outcomes.ts'

/**
 * The requested rows, or all rows of the same name, and the names that only one run has. Throws UserError for an
 * unknown
 * row and where no row is common.
 */
export function pairRows(before: DiffSide, after: DiffSide) {
  const sharedName = before.row ?? after.row
  if (sharedName !== undefined) {
    // report a wrong name for the side that the user wrote it for
    const [first, second] = before.row === undefined ? [after, before] : [before, after]
    const [firstRow, secondRow] = [rowOf(first.row ?? sharedName, first), rowOf(second.row ?? sharedName, second)]
    const pair = first === before ? { before: firstRow, after: secondRow } : { before: secondRow, after: firstRow }
    return { pairs: [pair], onlyBefore: [], onlyAfter: [] }
  }
  const rowsBefore = new Map(before.manifest.methods.map((row) => [rowName(row), row]))
  const rowsAfter = new Map(after.manifest.methods.map((row) => [rowName(row), row]))
  const pairs = [...rowsBefore].flatMap(([name, row]) => {
    const later = rowsAfter.get(name)
    return later ? [{ before: row, after: later }] : []
  })
  const onlyBefore = [...rowsBefore.keys()].filter((name) => !rowsAfter.has(name))
  const onlyAfter = [...rowsAfter.keys()].filter((name) => !rowsBefore.has(name))
  if (pairs.length === 0)
    throw new UserError(
      `no row is in both runs; name two of them as FOLDER#row (${before.name}: ${onlyBefore.join(', ')}; ${after.name}: ${onlyAfter.join(', ')})`,
    )
  return { pairs, onlyBefore, onlyAfter }
}

function rowOf(name: string, { name: run, manifest }: DiffSide): MethodRecord {
  const row = findRow(name, manifest.methods)
  if (typeof row === 'string') throw new UserError(`${run}: ${row}`)
  return row
}
