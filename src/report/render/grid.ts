import { UserError } from '../../errors.ts'
import type { Manifest } from '../../records.ts'
import { unknownName } from '../../text/names.ts'
import type { RowComparison } from '../compare/row-comparison.ts'
import { isRow } from '../compare/rows-to-compare.ts'
import type { Table } from '../table/table.ts'
import { allColumns, columnsOf, namesOf, referenceColumns, variedOptions } from './columns.ts'
import { costColumns, countColumns, graphColumns } from './row-columns.ts'
import { nameOf, shownRows, type TableColumn } from './rows.ts'
import { differenceColumns, mainColumn, scoreColumns } from './score-columns.ts'
import { cellOf, tableOf, type TextTable } from './text-grid.ts'

/**
 * The scores in percent, a row a method, and what is counted of rows. Letters: the rows that a score is better than;
 * best: better than all others, or the baseline. `names`: the columns that are shown, by title, metric or
 * `scorer.metric`, every one for "all"; without, all but those of graphs. Throws UserError for an unknown name.
 */
export function scoreTable(manifest: Manifest, table: Table, names?: readonly string[]): TextTable {
  const columns = visibleScoreColumns(manifest, table, names !== undefined)
  return withLabels(manifest, table, names ? namedColumns(columns, names) : columns, table.comparison)
}

/** The columns of the compared metric, with differences from a baseline, and those that labels correct. */
export function comparedTable(manifest: Manifest, table: Table): TextTable {
  const columns = visibleScoreColumns(manifest, table)
  const isAny = mainColumn(manifest, table) !== undefined
  const comparedColumns = isAny ? columns.filter(({ isCompared }) => isCompared) : columns
  return withLabels(manifest, table, comparedColumns, table.comparison)
}

/** Calls, tokens and money, a row a method; `isTimed`: with the seconds of calls, which depend on the machine. */
export function costTable(manifest: Manifest, table: Table, isTimed = false): TextTable {
  const rows = shownRows(manifest, table)
  const columns = costColumns.filter(({ when }) => when?.({ manifest, rows, isTimed }) ?? true)
  // without answers most methods ask for nothing
  const isUsed = ({ title, cell }: TableColumn): boolean =>
    title.endsWith(' calls') || rows.some((row) => !/^[0.]*$/.test(cellOf(cell(row)).text))
  return withLabels(manifest, table, manifest.answers === 'none' ? columns.filter(isUsed) : columns)
}

/** The columns behind those that name the row: its letter, its method, and every option that some row varies. */
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

function visibleScoreColumns(manifest: Manifest, table: Table, isNamed = false): readonly TableColumn[] {
  const rows = shownRows(manifest, table)
  const columns = [...scoreColumns(manifest, table), ...differenceColumns(table.comparison), ...countColumns(rows)]
  return columns.filter(({ when }) => when?.({ manifest, rows, isNamed }) ?? true)
}

/** Those of a name each; "graph" stands for all columns of graphs. */
function namedColumns(columns: readonly TableColumn[], names: readonly string[]): readonly TableColumn[] {
  if (names.includes(allColumns)) return columns
  const matchesName = (name: string, column: TableColumn): boolean =>
    column.title === name ||
    (column.names?.includes(name) ?? false) ||
    (name === 'graph' && graphColumns.includes(column))
  const unknown = names.find((name) => !columns.some((column) => matchesName(name, column)))
  if (unknown === undefined) return columns.filter((column) => names.some((name) => matchesName(name, column)))
  const titles = columns.map(({ title }) => title)
  throw new UserError(`--columns: ${unknownName('column', unknown, titles)}`)
}

/** The cells of the columns that `names` mean, as in `scoreGrid`. Throws UserError for what is no score. */
export function namedCells(manifest: Manifest, table: Table, names: readonly string[] | undefined): Table['cells'] {
  if (!names || names.includes(allColumns)) return table.cells
  const columns = [...columnsOf(manifest, table), ...referenceColumns(manifest, table)]
  const matchesName = (name: string) => (column: (typeof columns)[number]) => namesOf(column).includes(name)
  const unknown = names.find((name) => !columns.some(matchesName(name)))
  if (unknown !== undefined) {
    const labels = columns.map(({ label }) => label)
    throw new UserError(`--columns: csv holds scores alone: ${unknownName('score', unknown, labels)}`)
  }
  const selectedColumns = names.flatMap((name) => columns.filter(matchesName(name)))
  return table.cells.filter(({ scorer, metric, subset }) =>
    selectedColumns.some((column) => column.scorer === scorer && column.metric === metric && column.subset === subset),
  )
}
