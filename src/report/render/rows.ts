import type { MethodRecord, Manifest, Row } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { isRow, markOf, type Marks } from '../compare/rows-to-compare.ts'
import type { UsageCell } from '../gather/usage.ts'
import { rowAt, type Table, type TableRow } from '../table/table.ts'
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
  readonly when?: (table: ShownTable) => boolean
  /** Names that `--columns` accepts besides the title. */
  readonly names?: readonly string[]
  readonly shownIn?: readonly View[]
}

/**
 * `full`: scores and counts, where columns have no other view; `named`: the same if `--columns` is given; `compared`:
 * the compared metric and scores corrected by labels; `short`: the table that commands print; `cost`; `timed`: costs
 * with machine-dependent values.
 */
export type View = 'full' | 'named' | 'compared' | 'short' | 'cost' | 'timed'

/** Decides whether a column is shown. */
export interface ShownTable {
  readonly manifest: Pick<Manifest, 'answers' | 'series'>
  readonly rows: readonly ShownRow[]
}

export const nameOf = (row: Row & Marks): string => `${rowName(row)}${markOf(row)}`
