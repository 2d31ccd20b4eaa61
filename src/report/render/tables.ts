import { UserError } from '../../errors.ts'
import type { Manifest } from '../../records.ts'
import { present } from '../../text/amounts.ts'
import { unknownName } from '../../text/names.ts'
import type { RowComparison } from '../compare/row-comparison.ts'
import { isRow } from '../compare/rows-to-compare.ts'
import type { Table } from '../table/table.ts'
import { allColumns, columnsOf, namesOf, referenceColumns, variedOptions } from './columns.ts'
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
  const namesOfColumn = (column: TableColumn) =>
    present(column.title, column.names, graphColumns.includes(column) && 'graph')
  const columns = columnsIn(names ? 'named' : 'full', manifest, table)
  return withLabels(manifest, table, namedColumns(columns, namesOfColumn, names ?? [allColumns]), table.comparison)
}

/** Columns of the compared metric, differences from the baseline, and label-corrected columns. */
export const comparedTable = (manifest: Manifest, table: Table): TextTable =>
  viewOf(mainColumn(manifest, table) ? 'compared' : 'full', manifest, table)

/** Calls, tokens and money, one row per method. `isTimed` adds seconds, which depend on the machine. */
export function costTable(manifest: Manifest, table: Table, isTimed = false): TextTable {
  const columns = columnsIn(isTimed ? 'timed' : 'cost', manifest, table)
  // without answers most usage columns are zero
  const isUsed = ({ title, cell }: TableColumn) =>
    title.endsWith(' calls') || shownRows(manifest, table).some((row) => !/^[0.]*$/.test(cellOf(cell(row)).text))
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
    ...countColumns(rows),
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

/** Cells of the columns that `names` selects. Throws UserError for a name that is not a score. */
export function namedCells(manifest: Manifest, table: Table, names: readonly string[] = [allColumns]): Table['cells'] {
  if (names.includes(allColumns)) return table.cells
  const columns = [...columnsOf(manifest, table), ...referenceColumns(manifest, table)]
  const selection = namedColumns(columns, namesOf, names, 'csv holds scores alone: ', 'score')
  return table.cells.filter(({ scorer, metric, subset }) =>
    selection.some((column) => column.scorer === scorer && column.metric === metric && column.subset === subset),
  )
}

/** The columns with one of these names, the first of which is a title. Throws UserError for an unknown name. */
function namedColumns<C>(
  columns: readonly C[],
  namesOfColumn: (column: C) => readonly string[],
  names: readonly string[],
  reason = '',
  kind = 'column',
): readonly C[] {
  if (names.includes(allColumns)) return columns
  const all = columns.map(namesOfColumn)
  const unknown = names.find((name) => !all.flat().includes(name))
  const titles = all.flatMap(([title]) => title ?? [])
  if (unknown !== undefined) throw new UserError(`--columns: ${reason}${unknownName(kind, unknown, titles)}`)
  return columns.filter((column) => namesOfColumn(column).some((name) => names.includes(name)))
}
