import { UserError } from '../../errors.ts'
import type { Manifest } from '../../records.ts'
import { present } from '../../text/amounts.ts'
import { unknownName } from '../../text/names.ts'
import type { RowComparison } from '../compare/row-comparison.ts'
import { isRow } from '../compare/rows-to-compare.ts'
import type { Table } from '../table/table.ts'
import { allColumns, variedOptions, withColumns } from './columns.ts'
import { costColumns, countColumns, graphColumns } from './row-columns.ts'
import { nameOf, shownRows, type TableColumn, type View } from './rows.ts'
import { differenceColumns, mainColumn, scoreColumns } from './score-columns.ts'
import { cellOf, compactTable, tableOf, type TextTable } from './text-table.ts'

/**
 * Scores and counts, one row per method. Letters name the rows that a score is significantly better than; bold is
 * better than all others, or than the baseline. `names` selects columns by title, metric or `scorer.metric`;
 * "all" selects every one, the default all but graph columns. Throws UserError for an unknown name.
 */
export function scoreTable(manifest: Manifest, table: Table, names?: readonly string[]): TextTable {
  if (!names) return viewOf('full', manifest, table)
  const columns = columnsIn('named', withColumns(manifest, table, names), table)
  return withLabels(manifest, table, selectColumns(columns, names), table.comparison)
}

/** Columns of the compared metric, differences from the baseline, and label-corrected columns. */
export const comparedTable = (manifest: Manifest, table: Table): TextTable =>
  viewOf(mainColumn(manifest, table) ? 'compared' : 'full', manifest, table)

/** Calls, tokens and money, one row per method. `isTimed` adds seconds, which depend on the machine. */
export function costTable(manifest: Manifest, table: Table, isTimed = false): TextTable {
  const columns = columnsIn(isTimed ? 'timed' : 'cost', manifest, table)
  // without answers most usage columns are zero
  const isUsed = ({ title, cell }: TableColumn) => {
    const texts = shownRows(manifest, table).map((row) => cellOf(cell(row)).text)
    return title.endsWith(' calls') || texts.some((text) => !/^[0.]*$/.test(text))
  }
  return withLabels(manifest, table, manifest.answers === 'none' ? columns.filter(isUsed) : columns)
}

/** What each row costs a question and at its index. */
export const rowCostsTable = (manifest: Manifest, table: Table): TextTable =>
  withLabels(manifest, table, columnsIn('page', manifest, table))

/** The table that commands print. */
export function shortTable(manifest: Manifest, table: Table): TextTable {
  const short = viewOf('short', manifest, table)
  const { labels = 1 } = short
  return compactTable(short, short.head.slice(labels, labels + 2)).compact
}

const viewOf = (view: View, manifest: Manifest, table: Table) =>
  withLabels(manifest, table, columnsIn(view, manifest, table), table.comparison)

/** The columns of a view that apply to the table. */
function columnsIn(view: View, manifest: Manifest, table: Table): readonly TableColumn[] {
  const rows = shownRows(manifest, table)
  const all: readonly TableColumn[] = [
    ...scoreColumns(manifest, table),
    ...differenceColumns(table.comparison),
    ...countColumns,
    ...costColumns(rows, manifest.compare?.baseline),
  ]
  return all.filter(
    ({ shownIn = ['full', 'named'], when }) => shownIn.includes(view) && (when?.({ manifest, rows }) ?? true),
  )
}

/** Puts letter, method and varied options before the columns. */
function withLabels(manifest: Manifest, table: Table, columns: readonly TableColumn[], comparison?: RowComparison) {
  const letter: TableColumn = {
    title: '',
    cell: ({ method }) => comparison?.rows.find((row) => isRow(row, method))?.letter ?? '',
  }
  const options = variedOptions(manifest.methods).map((option): TableColumn => ({
    title: option,
    cell: ({ method: { varied = [] } }) => varied.find((setting) => setting.option === option)?.text ?? '',
  }))
  const labels: readonly TableColumn[] = [
    ...(comparison ? [letter] : []),
    { title: 'method', cell: ({ method }) => nameOf({ ...method, variant: '' }) },
    ...options,
  ]
  return tableOf(shownRows(manifest, table), [...labels, ...columns], labels.length)
}

/** The columns with one of these names. Throws UserError for an unknown name. */
function selectColumns(columns: readonly TableColumn[], names: readonly string[]): readonly TableColumn[] {
  if (names.includes(allColumns)) return columns
  const namesOfColumn = (column: TableColumn) =>
    present(column.title, column.names, graphColumns.includes(column) && 'graph')
  const allNames = columns.flatMap(namesOfColumn)
  const unknown = names.find((name) => !allNames.includes(name))
  const titles = columns.map(({ title }) => title)
  if (unknown !== undefined) throw new UserError(`--columns: ${unknownName('column', unknown, titles)}`)
  return columns.filter((column) => namesOfColumn(column).some((name) => names.includes(name)))
}
