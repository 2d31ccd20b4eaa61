import { itemAt } from '../../basics/collections.ts'

/** A table as text, ready for any format. The first `labels` columns (one, where it is not given) name the row. */
export interface TextTable {
  readonly labels?: number
  readonly head: readonly string[]
  readonly rows: readonly (readonly TextCell[])[]
}

export interface TextCell {
  readonly text: string
  /** Of a score: its mean, its 95 % interval where it is known, and the letters of the rows that it is better than. */
  readonly score?: { readonly mean: string; readonly interval?: string; readonly letters: string }
  /** Better by a test than every other row that was compared; with a baseline, than the baseline. */
  readonly best?: boolean
}

/** A grid of plain texts, of which the first names the row. */
export const plainTable = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): TextTable => ({
  head,
  rows: rows.map((row) => row.map((text) => ({ text: String(text) }))),
})

/** A column of a grid of records. */
export interface TextColumn<T> {
  readonly title: string
  readonly cell: (record: T) => string | number | TextCell
}

/** A grid of records, a line each; the first `labels` columns name the record, and what is false is left out. */
export function tableOf<T>(records: readonly T[], columns: readonly (TextColumn<T> | false)[], labels = 1): TextTable {
  const visibleColumns = columns.filter((column) => column !== false)
  return {
    labels,
    head: visibleColumns.map(({ title }) => title),
    rows: records.map((record) => visibleColumns.map(({ cell }) => cellOf(cell(record)))),
  }
}

/** A cell of what a column gives. */
export const cellOf = (content: string | number | TextCell): TextCell =>
  typeof content === 'object' ? content : { text: String(content) }

/** A grid without columns that tell nothing, and of each its title and why. */
interface CompactTable {
  readonly compact: TextTable
  readonly omissions: readonly string[]
}

/**
 * A grid without columns that are all alike, all zero or equal to another one; those with a title in `stay` do stay.
 */
export function compactTable({ labels = 1, head, rows }: TextTable, stay: readonly string[] = []): CompactTable {
  const textsOf = (column: number): readonly string[] => rows.map((row) => textWithoutLetters(row[column]))
  const visible: number[] = head.flatMap((title, column) => (column >= labels && stay.includes(title) ? [column] : []))
  const omissions: string[] = []
  for (const [column, title] of head.entries()) {
    if (column < labels || visible.includes(column)) continue
    const texts = textsOf(column)
    const [first = ''] = texts
    const duplicate = visible.find((index) => textsOf(index).join('\n') === texts.join('\n'))
    if (texts.every((text) => /^[–0.]*$/.test(text)))
      omissions.push(`${title} (${texts.find((text) => text !== '–') ?? '–'})`)
    else if (rows.length > 1 && texts.every((text) => text === first))
      omissions.push(`${title} (${first} in every row)`)
    else if (rows.length > 1 && duplicate !== undefined) omissions.push(`${title} (as ${itemAt(head, duplicate)})`)
    else visible.push(column)
  }
  const isShown = (_: unknown, column: number): boolean => column < labels || visible.includes(column)
  return { compact: { labels, head: head.filter(isShown), rows: rows.map((row) => row.filter(isShown)) }, omissions }
}

/** What a cell says, without letters of a comparison. */
const textWithoutLetters = ({ text = '', score }: Partial<TextCell> = {}): string =>
  score && score.letters !== '' ? text.slice(0, -score.letters.length - 1) : text

/** Which columns a table leaves out, and what shows them; none where it has all. */
export const omissionNote = (titles: readonly string[], remedy = '--columns all shows them.'): readonly string[] =>
  titles.length === 0 ? [] : [`Not shown, as they tell nothing more: ${titles.join('; ')}. ${remedy}`]
