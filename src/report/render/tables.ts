import { UserError } from '../../errors.ts'
import type { Manifest } from '../../records.ts'
import { unknownName } from '../../text/names.ts'
import type { RowComparison } from '../compare/row-comparison.ts'
import { isRow } from '../compare/rows-to-compare.ts'
import type { Table } from '../table/table.ts'
import { allColumns, columnsOf, namesOf, referenceColumns, variedOptions } from './columns.ts'
import { costColumns, countColumns, graphColumns } from './row-columns.ts'
import { columnsIn, nameOf, shownRows, type TableColumn, type View } from './rows.ts'
import { differenceColumns, mainColumn, scoreColumns } from './score-columns.ts'
import { cellOf, compactTable, tableOf, type TextTable } from './text-table.ts'

/**
 * Scores and counts, one row per method. Letters name the rows that a score is significantly better than; bold is
 * better than all others, or than the baseline. `names` selects columns by title, metric or `scorer.metric`;
 * "all" selects every one, the default all but graph columns. Throws UserError for an unknown name.
 */
export function scoreTable(manifest: Manifest, table: Table, names?: readonly string[]): TextTable {
  const columns = visibleScoreColumns(manifest, table, names ? 'named' : 'full')
  return withLabels(manifest, table, names ? namedColumns(columns, names) : columns, table.comparison)
}

/** Columns of the compared metric, differences from the baseline, and label-corrected columns. */
export function comparedTable(manifest: Manifest, table: Table): TextTable {
  const columns = visibleScoreColumns(manifest, table, 'full')
  const isAny = mainColumn(manifest, table) !== undefined
  const comparedColumns = isAny ? columns.filter(({ isCompared }) => isCompared) : columns
  return withLabels(manifest, table, comparedColumns, table.comparison)
}

/** Calls, tokens and money, one row per method. `isTimed` adds seconds, which depend on the machine. */
export function costTable(manifest: Manifest, table: Table, isTimed = false): TextTable {
  const rows = shownRows(manifest, table)
  const columns = columnsIn(isTimed ? 'timed' : 'full', costColumns, { manifest, rows })
  // without answers most usage columns are zero
  const isUsed = ({ title, cell }: TableColumn): boolean =>
    title.endsWith(' calls') || rows.some((row) => !/^[0.]*$/.test(cellOf(cell(row)).text))
  return withLabels(manifest, table, manifest.answers === 'none' ? columns.filter(isUsed) : columns)
}

/** The table that commands print: compared score, main retrieval score, tokens per question, index costs, failures. */
export function shortTable(manifest: Manifest, table: Table): TextTable {
  const rows = shownRows(manifest, table)
  const all = [...scoreColumns(manifest, table), ...countColumns(rows), ...costColumns]
  const columns = columnsIn('short', all, { manifest, rows })
  const scores = columns.slice(0, 2).map(({ title }) => title)
  return compactTable(withLabels(manifest, table, columns, table.comparison), scores).compact
}

/** Puts letter, method and varied options before the columns. */
function withLabels(
  manifest: Manifest,
  table: Table,
  columns: readonly TableColumn[],
  comparison?: RowComparison,
): TextTable {
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

function visibleScoreColumns(manifest: Manifest, table: Table, view: View): readonly TableColumn[] {
  const rows = shownRows(manifest, table)
  const columns = [...scoreColumns(manifest, table), ...differenceColumns(table.comparison), ...countColumns(rows)]
  return columnsIn(view, columns, { manifest, rows })
}

/** "graph" selects all graph columns. */
function namedColumns(columns: readonly TableColumn[], names: readonly string[]): readonly TableColumn[] {
  if (names.includes(allColumns)) return columns
  const namesOfColumn = (column: TableColumn): readonly string[] => [
    ...[column.title, ...(column.names ?? [])],
    ...(graphColumns.includes(column) ? ['graph'] : []),
  ]
  refuseUnknown('--columns: ', 'column', names, columns.map(namesOfColumn))
  return columns.filter((column) => namesOfColumn(column).some((name) => names.includes(name)))
}

/** Throws UserError for a name that no column has; the first name of each is its title. */
function refuseUnknown(
  mark: string,
  kind: string,
  names: readonly string[],
  columns: readonly (readonly string[])[],
): void {
  const unknown = names.find((name) => !columns.flat().includes(name))
  if (unknown === undefined) return
  const titles = columns.flatMap(([title]) => title ?? [])
  throw new UserError(`${mark}${unknownName(kind, unknown, titles)}`)
}

/** Cells of the columns that `names` selects. Throws UserError for a name that is not a score. */
export function namedCells(manifest: Manifest, table: Table, names: readonly string[] | undefined): Table['cells'] {
  if (!names || names.includes(allColumns)) return table.cells
  const columns = [...columnsOf(manifest, table), ...referenceColumns(manifest, table)]
  refuseUnknown('--columns: csv holds scores alone: ', 'score', names, columns.map(namesOf))
  const selection = columns.filter((column) => namesOf(column).some((name) => names.includes(name)))
  return table.cells.filter(({ scorer, metric, subset }) =>
    selection.some((column) => column.scorer === scorer && column.metric === metric && column.subset === subset),
  )
}
