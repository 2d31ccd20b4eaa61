import { itemAt } from '../../basics/collections.ts'

/** A table as text, ready for any format. The first `labels` columns (one, where it is not given) name the row. */
export interface Grid {
  readonly labels?: number
  readonly head: readonly string[]
  readonly rows: readonly (readonly GridCell[])[]
}

export interface GridCell {
  readonly text: string
  /** Of a score: its mean, its 95 % interval where it is known, and the letters of the rows that it is better than. */
  readonly score?: { readonly mean: string; readonly interval?: string; readonly letters: string }
  /** Better by a test than every other row that was compared; with a baseline, than the baseline. */
  readonly best?: boolean
}

/** A grid of plain texts, of which the first names the row. */
export const textGrid = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): Grid => ({
  head,
  rows: rows.map((row) => row.map((text) => ({ text: String(text) }))),
})

/** A column of a grid of records. */
export interface GridColumn<T> {
  readonly title: string
  readonly cell: (record: T) => string | number | GridCell
}

/** A grid of records, a line each; the first `labels` columns name the record, and what is false is left out. */
export function gridOf<T>(records: readonly T[], columns: readonly (GridColumn<T> | false)[], labels = 1): Grid {
  const shown = columns.filter((column) => column !== false)
  return {
    labels,
    head: shown.map(({ title }) => title),
    rows: records.map((record) => shown.map(({ cell }) => cellOf(cell(record)))),
  }
}

/** A cell of what a column gives. */
export const cellOf = (content: string | number | GridCell): GridCell =>
  typeof content === 'object' ? content : { text: String(content) }

/** A grid without columns that tell nothing, and of each its title and why. */
interface LeanGrid {
  readonly grid: Grid
  readonly left: readonly string[]
}

/**
 * A grid without columns that are all alike, all zero or equal to another one; those with a title in `stay` do stay.
 */
export function leanGrid({ labels = 1, head, rows }: Grid, stay: readonly string[] = []): LeanGrid {
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
    else if (rows.length > 1 && same !== undefined) left.push(`${title} (as ${itemAt(head, same)})`)
    else kept.push(column)
  }
  const isShown = (_: unknown, column: number): boolean => column < labels || kept.includes(column)
  return { grid: { labels, head: head.filter(isShown), rows: rows.map((row) => row.filter(isShown)) }, left }
}

/** What a cell says, without letters of a comparison. */
const bare = ({ text = '', score }: Partial<GridCell> = {}): string =>
  score && score.letters !== '' ? text.slice(0, -score.letters.length - 1) : text

/** Which columns a table leaves out, and what shows them; none where it has all. */
export const leftOutNote = (left: readonly string[], remedy = '--columns all shows them.'): readonly string[] =>
  left.length === 0 ? [] : [`Not shown, as they tell nothing more: ${left.join('; ')}. ${remedy}`]
