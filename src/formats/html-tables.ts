interface Cell {
  /** The first of its pieces. */
  readonly start: number
  readonly columns: number
  readonly rows: number
}

interface Row {
  readonly cells: Cell[]
  /** Whether the cells are parts of a page that is laid out as a table. */
  isLayout: boolean
}

interface Table {
  row: Row | undefined
  /** By column, the text of a cell that reaches into so many rows below. */
  readonly reaching: Map<number, { readonly text: string; rows: number }>
}

/** Characters of several lines in one cell that are parts of a page, and no value. */
const longestValue = 1000

/** Characters of a cell that are said again in the rows that it reaches into. */
const longestRepeated = 200

/**
 * Makes a line of each row, with " | " between its cells, in `pieces` as they come; cells that span rows are said in
 * each, and cells that span columns keep those below in their place. Pages that are laid out as tables, whose cells
 * hold other tables or long texts, stay paragraphs. What is repeated is no longer than `length` characters.
 */
export function tableRows(pieces: string[], length: number, endParagraph: () => void) {
  const outside: Table = { row: undefined, reaching: new Map() }
  const tables: Table[] = []
  let left = length
  const current = (): Table => tables.at(-1) ?? outside
  /** Whether so much may be said that the page does not say itself. */
  const isSpared = (text: string): boolean => {
    left -= text.length + separator.length
    return left >= 0
  }
  const values = ({ cells }: Row, { reaching }: Table): readonly string[] => {
    const texts = cells.map(({ start }, at) => valueOf(pieces.slice(start, cells[at + 1]?.start)))
    const row: string[] = []
    const fill = (): void => {
      for (let above = reaching.get(row.length); above; above = reaching.get(row.length)) {
        if (!isSpared(above.text)) {
          reaching.clear()
          return
        }
        if (--above.rows <= 0) reaching.delete(row.length)
        row.push(above.text)
      }
    }
    for (const [at, { columns, rows }] of cells.entries()) {
      fill()
      const text = texts[at] ?? ''
      for (let column = 0; column < columns && (column === 0 || isSpared('')); column++) {
        const value = column === 0 ? text : ''
        if (rows > 1) reaching.set(row.length, { text: value.length > longestRepeated ? '' : value, rows: rows - 1 })
        row.push(value)
      }
    }
    fill()
    return row
  }
  const endRow = (table: Table): void => {
    const { row } = table
    table.row = undefined
    const [first] = row?.cells ?? []
    if (!row || !first || row.isLayout) return
    const isSingle = row.cells.length === 1 && table.reaching.size === 0
    const isLong = ({ start }: Cell, at: number): boolean => {
      const text = pieces
        .slice(start, row.cells[at + 1]?.start)
        .join('')
        .trim()
      return text.length > longestValue && text.includes('\n')
    }
    if ((isSingle && first.rows < 2) || row.cells.some(isLong)) return
    const line = values(row, table)
    pieces.length = first.start
    if (line.some((value) => value !== '')) pieces.push('\n\n', line.join(separator))
    endParagraph()
  }
  return {
    open(name: string, { rowspan, colspan }: Readonly<Record<string, string>>): void {
      const table = current()
      if (name === 'table') {
        if (table.row) table.row.isLayout = true
        tables.push({ row: undefined, reaching: new Map() })
      } else if (name === 'pre' && table.row) table.row.isLayout = true
      else if (name === 'tr') endRow(table)
      else if (name === 'td' || name === 'th') {
        table.row ??= { cells: [], isLayout: false }
        table.row.cells.push({ start: pieces.length, columns: spanOf(colspan, 1), rows: spanOf(rowspan, Infinity) })
        endParagraph()
      }
    },
    close(name: string): void {
      if (name === 'tr' || name === 'table') endRow(current())
      if (name === 'table') tables.pop()
    },
    end: (): void => endRow(current()),
  }
}

const separator = ' | '

/** The number of columns or rows that a cell spans; 0 says "to the end" where that can be. */
function spanOf(written: string | undefined, atZero: number): number {
  if (!/^\d{1,5}$/.test(written ?? '')) return 1
  return Number(written) || atZero
}

/** What a cell holds on one line, without the signs of headings. */
const valueOf = (pieces: readonly string[]): string =>
  pieces
    .join('')
    .trim()
    .replace(/^#{1,6} /gm, '')
    .replace(/\s+/g, ' ')
