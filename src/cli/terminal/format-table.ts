import pc from 'picocolors'
import type { TextTable } from '../../report/render/text-table.ts'
import { plain } from '../../text/characters.ts'
import { lineWidth, widthOf, wrapText } from './wrap-text.ts'

/**
 * An aligned table; the best score of a column is bold. If it is wider than `maxWidth`, titles are wrapped, then the
 * table is split into tables one below the other, each with the row names. Cells are never broken. The default width is
 * infinite without a terminal.
 */
export function formatTable(
  { labels = 1, head, rows }: TextTable,
  maxWidth: number = process.stdout.isTTY ? lineWidth() : Infinity,
): string {
  const all = head.map((title, index) => ({
    title: plain(title),
    isName: index < labels,
    cells: rows.map((row) => ({ text: plain(row[index]?.text ?? ''), isBest: row[index]?.best === true })),
  }))
  const long = all.map(({ title, ...column }) => withWidth({ ...column, titles: [title] }))
  if (widthTogether(long) <= maxWidth) return alignColumns(long)
  const columns = all.map(({ title, ...column }) => {
    const parts = [...title.split(' '), ...column.cells.map(({ text }) => text)]
    return withWidth({ ...column, titles: wrapText(title, Math.max(1, ...parts.map(widthOf))) })
  })
  const names = columns.filter(({ isName }) => isName)
  const tables: Column[][] = []
  for (const column of columns.slice(labels)) {
    const table = tables.at(-1)
    if (table && widthTogether([...table, column]) <= maxWidth) table.push(column)
    else tables.push([...names, column])
  }
  return tables.map(alignColumns).join('\n\n')
}

/** A column with its wrapped title. */
interface Column {
  readonly titles: readonly string[]
  readonly isName: boolean
  readonly cells: readonly { readonly text: string; readonly isBest: boolean }[]
  readonly width: number
}

function withWidth(column: Omit<Column, 'width'>): Column {
  const { titles, cells } = column
  const texts = [...titles, ...cells.map(({ text }) => text)]
  return { ...column, width: Math.max(0, ...texts.map(widthOf)) }
}

const gap = 2

const widthTogether = (columns: readonly Column[]) => columns.reduce((sum, { width }) => sum + width + gap, -gap)

function alignColumns(columns: readonly Column[]) {
  const height = Math.max(...columns.map(({ titles }) => titles.length))
  const lines = columns.map(({ titles, cells, width, isName }) => {
    const align = (text: string, style: (text: string) => string) => {
      const space = ' '.repeat(width - widthOf(text))
      const content = text === '' ? '' : style(text)
      return isName ? content + space : space + content
    }
    const title = [...Array<string>(height - titles.length).fill(''), ...titles]
    return [
      ...title.map((text) => align(text, pc.dim)),
      ...cells.map(({ text, isBest }) => align(text, isBest ? pc.bold : String)),
    ]
  })
  const [first = []] = lines
  return first
    .map((_, row) =>
      lines
        .map((column) => column[row])
        .join(' '.repeat(gap))
        .trimEnd(),
    )
    .join('\n')
}
