interface Cell {
  /** The first of its pieces. */
  readonly start: number
  readonly columns: number
  readonly rows: number
}

interface Row {
  readonly cells: Cell[]
  /** Whether it is a layout table. */
  isLayout: boolean
}

interface Table {
  row: Row | undefined
  /** By column, a cell that spans so many rows below. */
  readonly rowSpans: Map<number, { readonly text: string; rows: number }>
}

/** A longer multi-line cell means a layout table. */
const longestValue = 1000

/** Longer cells are not repeated in the rows that they span. */
const repeatLimit = 200

/**
 * Turns rows in `pieces` into lines with " | " between cells. Cells repeat in the rows that they span, within `length`
 * characters in all; layout tables stay paragraphs.
 */
export function tableRows(pieces: string[], length: number, endParagraph: () => void) {
  const outside: Table = { row: undefined, rowSpans: new Map() }
  const tables: Table[] = []
  let budget = length
  const current = () => tables.at(-1) ?? outside
  /** Whether the text may be repeated within the budget. */
  const isAffordable = (text: string) => {
    budget -= text.length + separator.length
    return budget >= 0
  }
  const values = ({ cells }: Row, { rowSpans: reaching }: Table): readonly string[] => {
    const texts = cells.map(({ start }, at) => valueOf(pieces.slice(start, cells[at + 1]?.start)))
    const row: string[] = []
    const fill = () => {
      for (let above = reaching.get(row.length); above; above = reaching.get(row.length)) {
        if (!isAffordable(above.text)) {
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
      for (let column = 0; column < columns && (column === 0 || isAffordable('')); column++) {
        const value = column === 0 ? text : ''
        if (rows > 1) reaching.set(row.length, { text: value.length > repeatLimit ? '' : value, rows: rows - 1 })
        row.push(value)
      }
    }
    fill()
    return row
  }
  const endRow = (table: Table) => {
    const { row } = table
    table.row = undefined
    const [first] = row?.cells ?? []
    if (!row || !first || row.isLayout) return
    const isSingle = row.cells.length === 1 && table.rowSpans.size === 0
    const isLong = ({ start }: Cell, at: number) => {
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
        tables.push({ row: undefined, rowSpans: new Map() })
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

function spanOf(text: string | undefined, atZero: number) {
  if (!/^\d{1,5}$/.test(text ?? '')) return 1
  return Number(text) || atZero
}

/** A cell on one line, without heading marks. */
const valueOf = (pieces: readonly string[]) =>
  pieces
    .join('')
    .trim()
    .replace(/^#{1,6} /gm, '')
    .replace(/\s+/g, ' ')
