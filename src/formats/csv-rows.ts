import { pipeline, Readable } from 'node:stream'
import { parse, type CsvError } from 'csv-parse'
import { valueOf } from '../basics/collections.ts'
import { UserError } from '../errors.ts'

/** A row by the names of its columns, the line, from 1, on which it begins, and that on which the columns are named. */
export interface CsvRow {
  readonly line: number
  readonly header: number
  readonly value: Readonly<Record<string, string>>
}

interface CsvOptions {
  readonly named?: (name: string) => string
  /** Whether rows of too few and too many cells are read, too. */
  readonly anyLength?: boolean
}

/**
 * The rows of a CSV text below its names, separated by comma, semicolon or tab, or as Excel's first line `sep=;` says.
 * Rows whose cells are all empty are passed over, and so are empty cells behind the last column. In a text separated by
 * tabs a quote within a cell stands for itself. Throws UserError naming the line.
 */
export async function* csvRows(
  file: string,
  text: string,
  { named = (name) => name, anyLength = false }: CsvOptions = {},
): AsyncGenerator<CsvRow> {
  const bytes = Buffer.from(text)
  const [preface = '', sign] = /^\uFEFF?"?sep=([,;\t])"?[,;\t]*(?:\r\n|\r|\n)/i.exec(text) ?? []
  const start = Buffer.byteLength(preface)
  const delimiter = sign ?? (/\.tsv(\.gz)?$/i.test(file) ? '\t' : delimiterOf(text))
  const lines = recordLines(bytes)
  // where the last record that was read ends, and the lines of those that wait to be asked for
  let end = start
  const begun = new Map<readonly string[], number>()
  let columns: { readonly names: readonly string[]; readonly header: number } | undefined
  const rowOf = (cells: readonly string[], line: number): CsvRow | undefined => {
    if (cells.every(isBlank)) return undefined
    const where = `${file}:${line}`
    if (columns === undefined) {
      columns = { names: columnNames(where, cells, named), header: line }
      return undefined
    }
    const { names, header } = columns
    const isOdd = cells.length < names.length || !cells.slice(names.length).every(isBlank)
    if (isOdd && !anyLength)
      throw new UserError(`${where}: malformed CSV: ${lengthFault(cells.length, names.length, delimiter)}`)
    if (delimiter === '\t' && cells.some((cell) => cell.includes('\t') && cell.includes('\n')))
      throw new UserError(`${where}: malformed CSV: a quoted cell holds a tab and a line break; ${asWritten}`)
    const value = names.flatMap((name, index) => {
      const cell = cells[index]
      return name === '' || cell === undefined ? [] : [[name, cell] as const]
    })
    return { line, header, value: Object.fromEntries(value) }
  }
  const parser = parse({
    bom: true,
    delimiter,
    on_record: (cells, { bytes: read }) => {
      begun.set(cells, lines.startAfter(end))
      end = start + read
      return cells
    },
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: delimiter === '\t',
  })
  // bit by bit, so that no more rows are in memory than are asked for; a failure of either end surfaces where the rows
  // are read
  pipeline(Readable.from(piecesOf(bytes.subarray(start))), parser, () => undefined)
  try {
    for await (const cells of parser as AsyncIterable<readonly string[]>) {
      const row = rowOf(cells, valueOf(begun, cells))
      begun.delete(cells)
      if (row) yield row
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    const line = lines.startAfter(end)
    throw new UserError(`${file}:${line}: malformed CSV: ${faultOf(error as CsvError, line)}`, { cause: error })
  }
}

const isBlank = (cell: string): boolean => cell.trim() === ''

const asWritten = 'write a quote within a cell as "", and the whole cell in quotes'

function lengthFault(found: number, wanted: number, delimiter: string): string {
  const [cells, columns] = [`${found} cell${found === 1 ? '' : 's'}`, `${wanted} column${wanted === 1 ? '' : 's'}`]
  return `this record has ${cells}, and the first row names ${columns}; put a cell that holds ${JSON.stringify(delimiter)} in quotes`
}

function faultOf({ code, column, message, lines }: CsvError, line: number): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return `a cell of this record begins with a quote that nothing closes; close it, or ${asWritten}`
  if (code === 'INVALID_OPENING_QUOTE')
    return `a quote stands within cell ${Number(column) + 1} of this record, which does not begin with one; ${asWritten}`
  if (code === 'CSV_INVALID_CLOSING_QUOTE' || code === 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE') {
    const place = Number(lines) > line ? ` on line ${Number(lines)}` : ''
    return `a quoted cell of this record ends${place}, and more text follows its last quote; ${asWritten}`
  }
  return message
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/** Names without the white space around them; a column without a name is not read. */
function columnNames(where: string, cells: readonly string[], named: (name: string) => string): readonly string[] {
  const last = cells.findLastIndex((cell) => !isBlank(cell))
  const names = cells.slice(0, last + 1).map((name) => named(name.trim()))
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) < index)
  if (twice !== undefined) throw new UserError(`${where}: two columns are named "${twice}"`)
  return names
}

/** The sign that the first line holds most often; of two, the one that is rarer in prose. */
function delimiterOf(text: string): string {
  const [line = ''] = /[^\r\n]{1,10000}/.exec(text) ?? []
  const plain = line.replace(/"[^"]*"/g, '')
  const counts = ['\t', ';', ','].map((sign) => [sign, plain.split(sign).length] as const)
  const [sign, count] = counts.reduce((best, one) => (one[1] > best[1] ? one : best))
  return count > 1 ? sign : ','
}

const [lineFeed, carriageReturn] = [10, 13]

/** The lines, from 1, on which the records of a CSV text begin; they are met in order. */
function recordLines(bytes: Uint8Array) {
  let [at, line] = [0, 1]
  const isBreak = (): boolean =>
    bytes[at] === carriageReturn || (bytes[at] === lineFeed && bytes[at - 1] !== carriageReturn)
  const step = (): void => {
    if (isBreak()) line++
    at++
  }
  return {
    /** The line of the record that begins at or behind an offset in bytes; empty lines before it are passed over. */
    startAfter(offset: number): number {
      while (at < offset) step()
      while (bytes[at] === lineFeed || bytes[at] === carriageReturn) step()
      return line
    },
  }
}
