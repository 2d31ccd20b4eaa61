import type { MethodRecord, Manifest } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { isRow, markOf } from '../compare/rows-to-compare.ts'
import { rowAt, type Table, type TableRow, type UsageCell } from '../table/table.ts'
import type { TextColumn } from './text-grid.ts'

/** A row of a table with all that its columns and notes read; `name` with its marks. */
export interface ShownRow {
  readonly name: string
  /** Its number, from 0. */
  readonly index: number
  readonly method: MethodRecord
  readonly summary: TableRow
  /** A cell a phase. */
  readonly usage: readonly UsageCell[]
}

/** The rows in the order of the methods of the manifest. */
export const shownRows = ({ methods }: Pick<Manifest, 'methods'>, table: Table): readonly ShownRow[] =>
  methods.map((method, index) => ({
    name: nameOf(method),
    index,
    method,
    summary: rowAt(table, index),
    usage: table.usage.filter((cell) => isRow(cell, method)),
  }))

/** A column of the tables of scores and costs. */
export interface TableColumn extends TextColumn<ShownRow> {
  /** Absent: always shown. */
  readonly when?: (table: ShownTable) => boolean
  /** What `--columns` calls it beside its title. */
  readonly names?: readonly string[]
  /** Whether it is of the metric that is compared, or corrected by labels. */
  readonly isCompared?: boolean
}

/** What decides whether a column is shown: `isNamed`: columns are named; `isTimed`: with what the machine changes. */
export interface ShownTable {
  readonly manifest: Pick<Manifest, 'answers' | 'series'>
  readonly rows: readonly ShownRow[]
  readonly isNamed?: boolean
  readonly isTimed?: boolean
}

/** A method's name with its variant and its marks. */
export const nameOf = (row: Pick<MethodRecord, 'method' | 'variant' | 'context' | 'answers' | 'inConfig'>): string =>
  `${rowName(row)}${markOf(row)}`
