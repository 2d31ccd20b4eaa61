import { itemAt } from '../../basics/collections.ts'

/** A table of texts for any renderer. The first `labels` columns (default 1) name the row. */
export interface TextTable {
  readonly labels?: number
  readonly head: readonly string[]
  readonly rows: readonly (readonly TextCell[])[]
}

export interface TextCell {
  readonly text: string
  /** The parts of a score: mean, 95 % interval if known, significance letters. */
  readonly score?: { readonly mean: string; readonly interval?: string; readonly letters: string }
  /** Significantly better than every other row, or than the baseline. */
  readonly best?: boolean
}

export interface TextColumn<T> {
  readonly title: string
  readonly cell: (record: T) => string | number | TextCell
}

/** One line per record. Columns that are false are skipped. */
export function tableOf<T>(records: readonly T[], columns: readonly (TextColumn<T> | false)[], labels = 1): TextTable {
  const visibleColumns = columns.filter((column) => column !== false)
  return {
    labels,
    head: visibleColumns.map(({ title }) => title),
    rows: records.map((record) => visibleColumns.map(({ cell }) => cellOf(cell(record)))),
  }
}

/** The value as text; a dash for none. */
export const orDash = <T>(value: T | null | undefined, format: (value: T) => string): string =>
  value == null ? '–' : format(value)

export const cellOf = (content: string | number | TextCell): TextCell =>
  typeof content === 'object' ? content : { text: String(content) }

/**
 * Drops columns that are constant, all zero or equal to another one, unless `stay` has their title. `omissions`:
 * the titles of the dropped columns, with the reason.
 */
export function compactTable({ labels = 1, head, rows }: TextTable, stay: readonly string[] = []) {
  const textsOf = (column: number) => rows.map((row) => textWithoutLetters(row[column]))
  const visible: number[] = head.flatMap((title, column) => (column >= labels && stay.includes(title) ? [column] : []))
  const omissions: string[] = []
  for (const [column, title] of head.entries()) {
    if (column < labels || visible.includes(column)) continue
    const texts = textsOf(column)
    const [first = ''] = texts
    const duplicate = visible.find((index) => textsOf(index).join('\n') === texts.join('\n'))
    if (texts.every((text) => /^[–0.]*$/.test(text)))
      omissions.push(`${title} ${texts.find((text) => text !== '–') ?? '–'}`)
    else if (rows.length > 1 && texts.every((text) => text === first)) omissions.push(`${title} ${first}`)
    else if (rows.length > 1 && duplicate !== undefined) omissions.push(`${title} (as ${itemAt(head, duplicate)})`)
    else visible.push(column)
  }
  const isShown = (_: unknown, column: number) => column < labels || visible.includes(column)
  const compact: TextTable = { labels, head: head.filter(isShown), rows: rows.map((row) => row.filter(isShown)) }
  return { compact, omissions }
}

const textWithoutLetters = ({ text = '', score }: Partial<TextCell> = {}) =>
  score && score.letters !== '' ? text.slice(0, -score.letters.length - 1) : text

/** The note on omitted columns; empty if there are none. */
export const omissionNote = (titles: readonly string[], remedy = '--columns all shows them.') =>
  titles.length === 0 ? [] : [`Hidden (same in every row): ${titles.join(', ')}. ${remedy}`]
