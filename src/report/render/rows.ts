import type { MethodRecord, Manifest, Row } from '../../records.ts'
import { listing, present } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import { isRow, markOf, type Marks } from '../compare/rows-to-compare.ts'
import type { UsageCell } from '../gather/usage.ts'
import { rowAt, type Table, type TableRow } from '../table/table.ts'
import { columnsOf, type Column } from './columns.ts'
import type { TextColumn } from './text-table.ts'

/** A row with everything that columns and notes read. `name` includes its marks. */
export interface ShownRow {
  readonly name: string
  /** From 0. */
  readonly index: number
  readonly method: MethodRecord
  readonly summary: TableRow
  /** One cell per phase. */
  readonly usage: readonly UsageCell[]
}

export const shownRows = ({ methods }: Manifest, table: Table): readonly ShownRow[] =>
  methods.map((method, index) => ({
    name: nameOf(method),
    index,
    method,
    summary: rowAt(table, index),
    usage: table.usage.filter((cell) => isRow(cell, method)),
  }))

export interface TableColumn extends TextColumn<ShownRow> {
  /** Absent: always shown. */
  readonly when?: (facts: Pick<Facts, 'manifest' | 'rows'>) => boolean
  /** Names that `--columns` accepts besides the title. */
  readonly names?: readonly string[]
  readonly shownIn?: readonly View[]
}

/**
 * `full`: scores and counts, where columns have no other view; `named`: the same if `--columns` is given; `compared`:
 * the compared metric and scores corrected by labels; `short`: the table that commands print; `cost`; `timed`: costs
 * with machine-dependent values; `page`: what a row costs, on the report page.
 */
export type View = 'full' | 'named' | 'compared' | 'short' | 'cost' | 'timed' | 'page'

export const nameOf = (row: Row & Marks) => `${rowName(row)}${markOf(row)}`

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
export const perRowNote = (
  fact: string,
  describe: (row: ShownRow, facts: Facts) => string | number | false | undefined,
  priority = Infinity,
): Note =>
  important(priority, (facts) => {
    const items = facts.rows.flatMap((row) => {
      const words = describe(row, facts)
      return words ? [`${row.name} ${words}`] : []
    })
    return withList(items, (rows) => `${fact}: ${rows}.`)
  })

/** A text with a list; false if it is empty. */
export const withList = (items: readonly string[], textOf: (list: string) => string, separator?: string) =>
  items.length > 0 && textOf(listing(items, separator))
