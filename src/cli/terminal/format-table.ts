import { itemAt } from '../../basics/collections.ts'
import pc from 'picocolors'
import type { TextTable } from '../../report/render/text-table.ts'
import { plain } from '../../text/characters.ts'
import { lineWidth, wrapText } from './wrap-text.ts'
import { widthOf } from './print.ts'

/**
 * An aligned table; the best score of a column is bold. If it is wider than `columns`, titles are wrapped, then the
 * table is split into tables one below the other, each with the row names. If no column fits next to the names, each
 * row becomes a block of lines. Cells are never broken. The default width is infinite without a terminal.
 */
export function formatTable(table: TextTable, columns: number = process.stdout.isTTY ? lineWidth() : Infinity): string {
  const { labels = 1, head, rows } = table
  const cells = rows.map((row) => row.map((cell) => ({ ...cell, text: plain(cell.text) })))
  const widest = (column: number): number => Math.max(0, ...cells.map((row) => widthOf(row[column]?.text ?? '')))
  const measureColumns = (titles: readonly (readonly string[])[]): Columns => ({
    titles,
    cells,
    widths: titles.map((title, column) => Math.max(widest(column), ...title.map(widthOf))),
  })
  const long = measureColumns(head.map((title) => [plain(title)]))
  const all = head.map((_, column) => column)
  if (widthTogether(long, all) <= columns) return alignColumns(long, all, labels)
  const short = measureColumns(
    head.map((title, column) => {
      const words = plain(title).split(' ')
      return wrapText(plain(title), Math.max(1, widest(column), ...words.map(widthOf)))
    }),
  )
  const parts = splitColumns(short, labels, columns)
  return parts ? parts.map((part) => alignColumns(short, part, labels)).join('\n\n') : formatBlocks(table)
}

/** Wrapped titles, cells, and the width of every column. */
interface Columns {
  readonly titles: readonly (readonly string[])[]
  readonly cells: TextTable['rows']
  readonly widths: readonly number[]
}

const gap = 2

const widthTogether = ({ widths }: Columns, columns: readonly number[]): number =>
  columns.reduce((sum, column) => sum + itemAt(widths, column) + gap, -gap)

/** Column indices of each part, row names first; undefined if a column does not fit next to the names. */
function splitColumns(table: Columns, labels: number, maxWidth: number): readonly (readonly number[])[] | undefined {
  const names = Array.from({ length: labels }, (_, column) => column)
  const parts: number[][] = []
  let part = [...names]
  for (let column = labels; column < table.widths.length; column++) {
    if (widthTogether(table, [...names, column]) > maxWidth) return undefined
    if (widthTogether(table, [...part, column]) > maxWidth) {
      parts.push(part)
      part = [...names]
    }
    part.push(column)
  }
  return [...parts, part]
}

/** The row name, then one line per column. */
function formatBlocks({ labels = 1, head, rows }: TextTable): string {
  const titles = head.slice(labels).map(plain)
  const width = Math.max(...titles.map(widthOf))
  const rowBlocks = rows.map((row) => {
    const name = row.slice(0, labels).flatMap(({ text }) => (text === '' ? [] : [plain(text)]))
    const lines = row.slice(labels).map(({ text, best }, column) => {
      const value = best ? pc.bold(plain(text)) : plain(text)
      const title = titles[column] ?? ''
      return `  ${pc.dim(title + ' '.repeat(width - widthOf(title)))}  ${value}`
    })
    return [pc.bold(name.join('  ')), ...lines].join('\n')
  })
  return [pc.dim('Each row is a block, as the terminal is too narrow for columns.'), ...rowBlocks].join('\n\n')
}

function alignColumns({ titles, cells, widths }: Columns, columns: readonly number[], labels: number): string {
  const titleLines = Math.max(...columns.map((column) => itemAt(titles, column).length))
  const lineOf = (textOf: (column: number) => string, styleOf: (column: number) => (text: string) => string): string =>
    columns
      .map((column) => {
        const text = textOf(column)
        const space = ' '.repeat(Math.max(0, itemAt(widths, column) - widthOf(text)))
        const content = text === '' ? '' : styleOf(column)(text)
        return column < labels ? content + space : space + content
      })
      .join(' '.repeat(gap))
      .trimEnd()
  const heads = Array.from({ length: titleLines }, (_, line) =>
    lineOf(
      (column) => {
        const lines = itemAt(titles, column)
        return lines[line - titleLines + lines.length] ?? ''
      },
      () => pc.dim,
    ),
  )
  const rows = cells.map((row) =>
    lineOf(
      (column) => row[column]?.text ?? '',
      (column) => (row[column]?.best ? pc.bold : String),
    ),
  )
  return [...heads, ...rows].join('\n')
}
