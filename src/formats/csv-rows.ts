import { pipeline, Readable } from 'node:stream'
import { parse, type CsvError } from 'csv-parse'
import { UserError } from '../errors.ts'
import { plural } from '../text/amounts.ts'

/** A row by column name, its first line, from 1, its number below the header, from 1, and the line of the header. */
export interface CsvRow {
  readonly line: number
  readonly number: number
  readonly header: number
  readonly value: Readonly<Record<string, string>>
}

interface CsvOptions {
  readonly rename?: (name: string) => string
  /** Whether rows may have too few or too many cells. */
  readonly anyLength?: boolean
}

/**
 * The rows of a CSV text, separated by comma, semicolon, tab, or the sign of Excel's line `sep=;`, without blank rows.
 * With tabs, a quote within a cell is literal. Throws UserError naming the line.
 */
export async function* csvRows(
  file: string,
  text: string,
  { rename = (name) => name, anyLength = false }: CsvOptions = {},
): AsyncGenerator<CsvRow> {
  const [preface = '', sign] = /^\uFEFF?"?sep=([,;\t])"?[,;\t]*(?:\r\n|\r|\n)/i.exec(text) ?? []
  const delimiter = sign ?? (/\.tsv(\.gz)?$/i.test(file) ? '\t' : delimiterOf(text))
  // what to add to the parser's count of lines, in which a CR and LF within a cell are two
  let shift = preface === '' ? 0 : 1
  // the last line of the last parsed record
  let end = shift
  let columns: { readonly names: readonly string[]; readonly header: number } | undefined
  let number = 0
  const rowOf = (cells: readonly string[], line: number): CsvRow | undefined => {
    if (cells.every(isBlank)) return undefined
    const where = `${file}:${line}`
    if (columns === undefined) {
      columns = { names: columnNames(where, cells, rename), header: line }
      return undefined
    }
    const { names, header } = columns
    const isOdd = cells.length < names.length || !cells.slice(names.length).every(isBlank)
    if (isOdd && !anyLength)
      throw new UserError(`${where}: malformed CSV: ${lengthFault(cells.length, names.length, delimiter)}`)
    if (delimiter === '\t' && cells.some((cell) => cell.includes('\t') && cell.includes('\n')))
      throw new UserError(`${where}: malformed CSV: a quoted cell holds a tab and a line break; ${quotingAdvice}`)
    const value = names.flatMap((name, index) => {
      const cell = cells[index]
      return name === '' || cell === undefined ? [] : [[name, cell] as const]
    })
    return { line, number: ++number, header, value: Object.fromEntries(value) }
  }
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    on_record: (cells, { lines }) => {
      const line = lines + shift - occurrences(cells, /[\r\n]/g)
      shift -= occurrences(cells, /\r\n/g)
      end = lines + shift
      return [String(line), ...cells]
    },
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: delimiter === '\t',
  })
  // piecewise, to bound memory; failures surface where the rows are read
  pipeline(Readable.from(piecesOf(Buffer.from(text.slice(preface.length)))), parser, () => undefined)
  try {
    for await (const [line, ...cells] of parser as AsyncIterable<readonly string[]>) {
      const row = rowOf(cells, Number(line))
      if (row) yield row
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${file}:${end + 1}: malformed CSV: ${faultOf(error as CsvError)}`, { cause: error })
  }
}

const occurrences = (cells: readonly string[], form: RegExp) => cells.join(' ').match(form)?.length ?? 0

const isBlank = (cell: string) => cell.trim() === ''

const quotingAdvice = 'write a quote within a cell as "", and the whole cell in quotes'

const lengthFault = (cellCount: number, columnCount: number, delimiter: string) =>
  `this record has ${plural(cellCount, 'cell')}, and the first row names ${plural(columnCount, 'column')}; put a cell that holds ${JSON.stringify(delimiter)} in quotes`

const faultOf = ({ code, message }: CsvError) =>
  code.includes('QUOTE')
    ? `a quote in this record is not closed, or text stands before it or after its end; ${quotingAdvice}`
    : message

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/** Trimmed names; unnamed columns are not read. */
function columnNames(where: string, cells: readonly string[], rename: (name: string) => string): readonly string[] {
  const last = cells.findLastIndex((cell) => !isBlank(cell))
  const names = cells.slice(0, last + 1).map((name) => rename(name.trim()))
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) < index)
  if (twice !== undefined) throw new UserError(`${where}: two columns are named "${twice}"`)
  return names
}

function delimiterOf(text: string) {
  const [line = ''] = /[^\r\n]{1,10000}/.exec(text) ?? []
  const plain = line.replace(/"[^"]*"/g, '')
  const counts = ['\t', ';', ','].map((sign) => [sign, plain.split(sign).length] as const)
  const [sign, count] = counts.reduce((best, candidate) => (candidate[1] > best[1] ? candidate : best))
  return count > 1 ? sign : ','
}
