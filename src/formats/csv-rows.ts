import { pipeline, Readable } from 'node:stream'
import { parse, type CsvError } from 'csv-parse'
import { messageOf, UserError } from '../errors.ts'

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

/** The rows of a CSV text below its names, separated by comma, semicolon or tab. Throws UserError naming the line. */
export async function* csvRows(
  file: string,
  text: string,
  { named = (name) => name, anyLength = false }: CsvOptions = {},
): AsyncGenerator<CsvRow> {
  const bytes = Buffer.from(text)
  const lines = recordLines(bytes)
  const header = lines.startAfter(0)
  const delimiter = delimiterOf(text)
  // where the last record that was read ends
  let end = 0
  const parser = parse<CsvRow, Record<string, string>>({
    bom: true,
    columns: (names: readonly string[]) => {
      end = endOfFirstRecord(bytes)
      return columnsOf(`${file}:${header}`, names, named)
    },
    delimiter,
    on_record: (value, { bytes: read }) => {
      const line = lines.startAfter(end)
      end = read
      return { line, header, value }
    },
    skip_empty_lines: true,
    relax_column_count: anyLength,
  })
  // bit by bit, so that no more rows are in memory than are asked for; a failure of either end surfaces where the rows
  // are read
  pipeline(Readable.from(piecesOf(bytes)), parser, () => undefined)
  try {
    for await (const row of parser as AsyncIterable<CsvRow>) yield row
  } catch (error) {
    if (error instanceof UserError) throw error
    const line = lines.startAfter(end)
    throw new UserError(`${file}:${line}: malformed CSV: ${faultOf(error as CsvError, line, delimiter)}`, {
      cause: error,
    })
  }
}

const asWritten = 'write a quote within a cell as "", and the whole cell in quotes'

function faultOf({ code, column, message, lines }: CsvError, line: number, delimiter: string): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return `a cell of this record begins with a quote that nothing closes; close it, or ${asWritten}`
  if (code === 'INVALID_OPENING_QUOTE')
    return `a quote stands within the cell ${JSON.stringify(column)}, which does not begin with one; ${asWritten}`
  if (code === 'CSV_INVALID_CLOSING_QUOTE' || code === 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE') {
    const place = Number(lines) > line ? ` on line ${Number(lines)}` : ''
    return `a quoted cell of this record ends${place}, and more text follows its last quote; ${asWritten}`
  }
  const [, wanted = '', found = ''] = /columns length is (\d+), got (\d+)/.exec(message) ?? []
  if (found === '') return messageOf(message)
  const [cells, columns] = [`${found} cell${found === '1' ? '' : 's'}`, `${wanted} column${wanted === '1' ? '' : 's'}`]
  return `this record has ${cells}, and the first row names ${columns}; put a cell that holds ${JSON.stringify(delimiter)} in quotes`
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/** Names without the white space around them; a column without a name is not read. */
function columnsOf(where: string, names: readonly string[], named: (name: string) => string): (string | false)[] {
  const trimmed = names.map((name) => named(name.trim()))
  const twice = trimmed.find((name, index) => name !== '' && trimmed.indexOf(name) < index)
  if (twice !== undefined) throw new UserError(`${where}: two columns are named "${twice}"`)
  return trimmed.map((name) => name !== '' && name)
}

function delimiterOf(text: string): string {
  const line = text.slice(0, Math.min(10_000, (text.search(/[\r\n]/) + 1 || 10_001) - 1)).replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((sign) => [sign, line.split(sign).length] as const)
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

const [lineFeed, carriageReturn, quote] = [10, 13, 34]

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

/** The offset behind the first record of a CSV text, which may hold line breaks in quotes. */
function endOfFirstRecord(bytes: Uint8Array): number {
  let at = 0
  const isAtBreak = (): boolean => bytes[at] === lineFeed || bytes[at] === carriageReturn
  while (isAtBreak()) at++
  for (let quoted = false; at < bytes.length && (quoted || !isAtBreak()); at++)
    if (bytes[at] === quote) quoted = !quoted
  return at
}
