import type { Manifest } from '../../records.ts'
import { listing, present } from '../../text/amounts.ts'
import type { Table } from '../table/table.ts'
import { columnsOf, type Column } from './columns.ts'
import { shownRows, type ShownRow } from './rows.ts'

/** Makes one note, several of a kind, or none. */
export type NoteText<F = Facts> = (facts: F) => string | readonly string[] | false | undefined

/** A note of a table. Lower numbers are shown first; those without one last. */
export interface Note extends NoteText {
  readonly priority?: number
}

export const important = (priority: number, text: NoteText): Note =>
  Object.assign((facts: Facts) => text(facts), { priority })

export interface Facts {
  readonly manifest: Manifest
  readonly table: Table
  readonly rows: readonly ShownRow[]
  readonly columns: readonly Column[]
  /** The uncertainty printed next to a mean. */
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

export const messagesOf = <F>(texts: readonly NoteText<F>[], facts: F): readonly string[] =>
  texts.flatMap((text) => present<string>(text(facts)))

/** A note `Fact: bm25 3, vector 5.`; skips rows for which `describe` gives undefined, 0 or no text. */
export const perRowNote =
  (fact: string, describe: (row: ShownRow, facts: Facts) => string | number | undefined): Note =>
  (facts) => {
    const items = facts.rows.flatMap((row) => {
      const words = describe(row, facts)
      return words ? [`${row.name} ${words}`] : []
    })
    return items.length > 0 && `${fact}: ${listing(items)}.`
  }
