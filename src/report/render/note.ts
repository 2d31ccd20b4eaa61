import type { Manifest } from '../../records.ts'
import { listing, present } from '../../text/amounts.ts'
import { variantOf } from '../../text/names.ts'
import { runsIn } from '../synthetic.ts'
import type { Table } from '../table/table.ts'
import { columnsOf, type Column } from './columns.ts'
import { shownRows, type ShownRow } from './rows.ts'

/** A note below a table, or several of one kind. */
export interface Note {
  /** Where only a few notes are shown: those with the least. Notes without one come after all others. */
  readonly priority?: number
  readonly text: (facts: Facts) => string | readonly string[] | false | undefined
}

/** What notes read. */
export interface Facts {
  readonly manifest: Manifest
  readonly table: Table
  readonly rows: readonly ShownRow[]
  readonly columns: readonly Column[]
  /** What stands beside a mean: its standard error, or its interval. */
  readonly spread: Spread
}

export type Spread = 'error' | 'interval'

export const factsOf = (manifest: Manifest, table: Table, spread: Spread = 'error'): Facts => ({
  manifest,
  table,
  rows: shownRows(manifest, table),
  columns: columnsOf(manifest, table),
  spread,
})

/** What some notes say of a table. */
export const textsOf = (notes: readonly Note[], facts: Facts): readonly string[] =>
  notes.flatMap(({ text }) => present<string>(text(facts)))

/** A fact with the rows that it is true of, `Fact: bm25 3, vector 5.`: of no row that says undefined or 0. */
export const perRowNote = (
  fact: string,
  describe: (row: ShownRow) => string | number | undefined,
  priority = Infinity,
): Note => ({
  priority,
  text({ rows }) {
    const items = rows.flatMap((row) => {
      const words = describe(row)
      return words === undefined || words === 0 ? [] : [`${row.name} ${words}`]
    })
    return items.length > 0 && `${fact}: ${listing(items)}.`
  },
})

/** Of which runs of a series it is true, where it is not of all. */
export function runsSuffix(manifest: Manifest, isTrue: (run: Manifest) => boolean): string {
  const runs = runsIn(manifest)
  const variants = runs.filter(isTrue).map(({ varied = [] }) => variantOf(varied))
  return variants.length === runs.length ? '' : ` (${listing(variants, '; ')})`
}
