import { UserError } from '../../errors.ts'
import type { Manifest } from '../../records.ts'
import { unknownName } from '../../text/nearest.ts'
import type { Table } from '../table/table.ts'
import { columnsOf, referenceColumns, type Column } from './columns.ts'
import type { Grid } from './grid.ts'

/** The columns of a table of scores that are shown, by title; of `csv`, whose lines are cells, by what they hold. All where none are named. */
export interface PickedColumns {
  readonly grid: (grid: Grid) => Grid
  readonly cells: (table: Table) => Table
}

/** Keeps what names the rows and the columns of these names: titles, metrics, or `scorer.metric`. Throws UserError for a name that no column has. */
export function pickColumns(names: readonly string[] | undefined, manifest: Manifest, table: Table): PickedColumns {
  if (!names) return { grid: (grid) => grid, cells: (one) => one }
  const columns = [...columnsOf(manifest, table), ...referenceColumns(manifest, table)]
  const isNamed = (name: string, { label, scorer, metric, subset }: Column): boolean =>
    label === name || (subset === 'all' && [metric, `${scorer}.${metric}`].includes(name))
  const titlesOf = (name: string): readonly string[] =>
    columns.flatMap((column) => (isNamed(name, column) ? [column.label, `${column.label}, corrected`] : []))
  const chosen = columns.filter((column) => names.some((name) => isNamed(name, column)))
  return {
    grid: ({ labels = 1, head, rows }) => {
      const titles = new Set(
        names.flatMap((name) => {
          const found = [...titlesOf(name), ...head.filter((title) => title === name)]
          if (found.length === 0) throw new UserError(`--columns: ${unknownName('column', name, head.slice(labels))}`)
          return found
        }),
      )
      const isKept = (_: unknown, index: number): boolean => index < labels || titles.has(head[index] ?? '')
      return { labels, head: head.filter(isKept), rows: rows.map((row) => row.filter(isKept)) }
    },
    cells: (one) => ({
      ...one,
      cells: one.cells.filter((cell) =>
        chosen.some(
          ({ scorer, metric, subset }) => cell.scorer === scorer && cell.metric === metric && cell.subset === subset,
        ),
      ),
    }),
  }
}
