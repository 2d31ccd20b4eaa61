import { UserError } from '../../errors.ts'
import type { Manifest } from '../../records.ts'
import { unknownName } from '../../text/names.ts'
import type { Cell } from '../table/estimate.ts'
import type { Table } from '../table/table.ts'
import { columnsOf, referenceColumns, type Column } from './columns.ts'
import { graphColumns } from './graph-health.ts'
import { correctedTitle, isLabelled, judgeTitle, mainColumn, type Grid, type GridCell } from './grid.ts'

/** Stands for all columns where columns are named. */
export const allColumns = 'all'

/** Stands for all columns of graphs where columns are named. */
const columnsOfGraphs = 'graph'

/** The columns that are shown: of a grid by title, of cells by what they hold. */
export interface PickedColumns {
  readonly grid: (grid: Grid) => Grid
  readonly cells: (table: Table) => Table
}

/** Picks columns by title, metric or `scorer.metric`, all for none or "all". Throws UserError for an unknown name. */
export function pickColumns(names: readonly string[] | undefined, manifest: Manifest, table: Table): PickedColumns {
  if (!names || names.includes(allColumns)) return { grid: (grid) => grid, cells: (one) => one }
  const columns = [...columnsOf(manifest, table), ...referenceColumns(manifest, table)]
  const isNamed = (name: string, { label, scorer, metric, subset }: Column): boolean =>
    label === name || (subset === 'all' && [metric, `${scorer}.${metric}`].includes(name))
  const titlesOf = (name: string): readonly string[] =>
    columns.flatMap((column) =>
      isNamed(name, column) ? [column.label, correctedTitle(column), judgeTitle(column)] : [],
    )
  const chosen = columns.filter((column) => names.some((name) => isNamed(name, column)))
  return {
    grid(grid) {
      const { labels = 1, head } = grid
      const titles = new Set(
        names.flatMap((name) => {
          const ofGraphs = name === columnsOfGraphs ? graphColumns(table).map(({ title }) => title) : []
          const found = [...titlesOf(name), ...head.filter((title) => title === name), ...ofGraphs]
          if (found.length === 0) throw new UserError(`--columns: ${unknownName('column', name, head.slice(labels))}`)
          return found
        }),
      )
      return withTitles(grid, (title) => titles.has(title))
    },
    cells(one) {
      const missing = names.find((name) => !columns.some((column) => isNamed(name, column)))
      if (missing !== undefined) {
        const labels = columns.map(({ label }) => label)
        throw new UserError(`--columns: csv holds scores alone: ${unknownName('score', missing, labels)}`)
      }
      const isChosen = ({ scorer, metric, subset }: Cell): boolean =>
        chosen.some((column) => column.scorer === scorer && column.metric === metric && column.subset === subset)
      return { ...one, cells: one.cells.filter(isChosen) }
    },
  }
}

/** A grid with the columns behind its labels whose title and place, counted from 0, pass. */
function withTitles({ labels = 1, head, rows }: Grid, isKept: (title: string, column: number) => boolean): Grid {
  const passes = (_: unknown, column: number): boolean => column < labels || isKept(head[column] ?? '', column)
  return { labels, head: head.filter(passes), rows: rows.map((row) => row.filter(passes)) }
}

/** The columns of the compared metric, with differences from a baseline, and those that labels correct. */
export function comparedColumns(manifest: Manifest, table: Table, grid: Grid): Grid {
  const main = mainColumn(manifest, table)
  if (!main) return grid
  const { scorer, metric } = main
  const titles = new Set(
    columnsOf(manifest, table).flatMap((one) =>
      (one.scorer === scorer && one.metric === metric) || isLabelled(one)
        ? [one.label, correctedTitle(one), judgeTitle(one)]
        : [],
    ),
  )
  return withTitles(grid, (title) => titles.has(title) || title.startsWith(`${metric}: difference from `))
}

/** A grid without columns that tell nothing, and of each its title and why. */
interface LeanGrid {
  readonly grid: Grid
  readonly left: readonly string[]
}

/**
 * A grid without columns that are all alike, all zero or equal to another one; those with a title in `stay` do stay.
 */
export function leanGrid(grid: Grid, stay: readonly string[] = []): LeanGrid {
  const { labels = 1, head, rows } = grid
  const textsOf = (column: number): readonly string[] => rows.map((row) => bare(row[column]))
  const kept: number[] = head.flatMap((title, column) => (column >= labels && stay.includes(title) ? [column] : []))
  const left: string[] = []
  for (const [column, title] of head.entries()) {
    if (column < labels || kept.includes(column)) continue
    const texts = textsOf(column)
    const [first = ''] = texts
    const same = kept.find((other) => textsOf(other).join('\n') === texts.join('\n'))
    if (texts.every((text) => /^[–0.]*$/.test(text)))
      left.push(`${title} (${texts.find((text) => text !== '–') ?? '–'})`)
    else if (rows.length > 1 && texts.every((text) => text === first)) left.push(`${title} (${first} in every row)`)
    else if (rows.length > 1 && same !== undefined) left.push(`${title} (as ${head[same] ?? ''})`)
    else kept.push(column)
  }
  return { grid: withTitles(grid, (_title, column) => kept.includes(column)), left }
}

/** What a cell says, without letters of a comparison. */
const bare = ({ text = '', score }: Partial<GridCell> = {}): string =>
  score && score.letters !== '' ? text.slice(0, -score.letters.length - 1) : text

/** Which columns a table leaves out, and what shows them; none where it has all. */
export const leftOutNote = (left: readonly string[], remedy = '--columns all shows them.'): readonly string[] =>
  left.length === 0 ? [] : [`Not shown, as they tell nothing more: ${left.join('; ')}. ${remedy}`]
