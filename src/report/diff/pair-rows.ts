import { UserError } from '../../errors.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { rowNamed, rowName } from '../../text/names.ts'
import type { Journals } from '../table/table.ts'

/** A run to compare, under the name that a person gave. `row`: the one row that is meant. */
export interface DiffSide extends Pick<Journals, 'trials' | 'scores'> {
  readonly name: string
  readonly manifest: Manifest
  readonly row?: string
}

/** A row before and a row after. */
interface RowPair {
  readonly before: MethodRecord
  readonly after: MethodRecord
}

/** The rows to compare, and the names of those that only one run has. */
interface PairedRows {
  readonly pairs: readonly RowPair[]
  readonly onlyBefore: readonly string[]
  readonly onlyAfter: readonly string[]
}

/**
 * The named row of each run, the same name in the other where only one is named, or every row that both have, in the
 * order of the first. Throws UserError for an unknown row, with the nearest name, and for runs without a common row.
 */
export function pairRows(before: DiffSide, after: DiffSide): PairedRows {
  const named = before.row ?? after.row
  if (named !== undefined) {
    // where only one side names a row, a mistake is in that side
    const [first, second] = before.row === undefined ? [after, before] : [before, after]
    const [one, other] = [rowOf(first.row ?? named, first), rowOf(second.row ?? named, second)]
    const pair = first === before ? { before: one, after: other } : { before: other, after: one }
    return { pairs: [pair], onlyBefore: [], onlyAfter: [] }
  }
  const ours = new Map(before.manifest.methods.map((row) => [rowName(row), row]))
  const theirs = new Map(after.manifest.methods.map((row) => [rowName(row), row]))
  const pairs = [...ours].flatMap(([name, row]) => {
    const other = theirs.get(name)
    return other ? [{ before: row, after: other }] : []
  })
  const onlyBefore = [...ours.keys()].filter((name) => !theirs.has(name))
  const onlyAfter = [...theirs.keys()].filter((name) => !ours.has(name))
  if (pairs.length === 0)
    throw new UserError(
      `no row is in both runs; name two of them as FOLDER#row (${before.name}: ${onlyBefore.join(', ')}; ${after.name}: ${onlyAfter.join(', ')})`,
    )
  return { pairs, onlyBefore, onlyAfter }
}

function rowOf(name: string, { name: run, manifest }: DiffSide): MethodRecord {
  const found = rowNamed(name, manifest.methods)
  if (typeof found === 'string') throw new UserError(`${run}: ${found}`)
  return found
}
