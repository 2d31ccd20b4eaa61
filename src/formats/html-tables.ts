import { itemAt } from '../basics/collections.ts'

interface Table {
  /** The first piece of each cell of the open row. */
  cells: number[]
  /** Whether the row is one of a layout table. */
  isLayout: boolean
}

/** A longer multi-line cell means a layout table. */
const longestValue = 1000

/** Turns rows in `pieces` into lines with " | " between cells; layout tables and rows of one cell stay paragraphs. */
export function tableRows(pieces: string[], endParagraph: () => void) {
  const tables: Table[] = [{ cells: [], isLayout: false }]
  const endRow = (table: Table) => {
    const { cells, isLayout } = table
    table.cells = []
    table.isLayout = false
    const [start] = cells
    if (start === undefined || cells.length === 1 || isLayout) return
    const texts = cells.map((from, at) =>
      pieces
        .slice(from, cells[at + 1])
        .join('')
        .trim(),
    )
    if (texts.some((text) => text.length > longestValue && text.includes('\n'))) return
    pieces.length = start
    if (texts.some((text) => text !== '')) pieces.push('\n\n', texts.map(onLine).join(' | '))
    endParagraph()
  }
  return {
    open(name: string): void {
      const table = itemAt(tables, -1)
      if (name === 'tr') endRow(table)
      if (name === 'table' || name === 'pre') table.isLayout = table.cells.length > 0
      if (name === 'table') tables.push({ cells: [], isLayout: false })
      if (name !== 'td' && name !== 'th') return
      table.cells.push(pieces.length)
      endParagraph()
    },
    close(name: string): void {
      if (name === 'tr' || name === 'table') endRow(itemAt(tables, -1))
      if (name === 'table') tables.pop()
    },
  }
}

/** A cell on one line, without heading marks. */
const onLine = (text: string) => text.replace(/^#{1,6} /gm, '').replace(/\s+/g, ' ')
