import { parse } from 'csv-parse/sync'
import { messageOf, UserError } from '../../errors.ts'

/** A line of a CSV file: its cells by column, trimmed, and where one of them stands. */
export interface CsvRecord {
  readonly cells: Readonly<Record<string, string>>
  /** `file:line:column`, both counted from 1, in characters. */
  readonly placeOf: (column: string) => string
}

/**
 * The columns and records of a CSV text whose first line names its columns. Cells are parted by commas, semicolons or tabs, whichever the first
 * line has (a spreadsheet writes those of its country); blank lines are left out. Throws UserError naming file and line.
 */
export function csvRecords(
  file: string,
  content: string,
): { columns: readonly string[]; records: readonly CsvRecord[] } {
  const text = content.replace(/^\uFEFF/, '')
  const first = /^[^\r\n]*/.exec(text)?.[0] ?? ''
  const delimiter = [';', '\t'].find((one) => first.includes(one)) ?? ','
  const [head, ...rows] = parsed(file, text, delimiter)
  if (!head) throw new UserError(`${file}:1: is empty; expected a line of column names`)
  const columns = head.record.map((name) => name.trim())
  let end = head.raw.length
  const records = rows.map(({ record, raw }): CsvRecord => {
    // csv-parse may leave a part of a line end out of `raw`
    const start = text.indexOf(raw, end)
    end = start + raw.length
    return {
      cells: Object.fromEntries(columns.map((column, i) => [column, (record[i] ?? '').trim()])),
      placeOf: (column) => `${file}:${place(text, start + cellStart(raw, columns.indexOf(column), delimiter))}`,
    }
  })
  return { columns, records }
}

interface Row {
  readonly record: readonly string[]
  /** As it stands in the file, with the blank lines before it. */
  readonly raw: string
}

function parsed(file: string, text: string, delimiter: string): readonly Row[] {
  const options = { delimiter, raw: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n', '\r'] }
  try {
    return parse(text, options) as unknown as readonly Row[]
  } catch (error) {
    throw new UserError(`${file}: malformed CSV (${messageOf(error)})`, { cause: error })
  }
}

/** The offset in a record's text at which a cell begins. */
function cellStart(raw: string, index: number, delimiter: string): number {
  let at = /^[\r\n]*/.exec(raw)?.[0].length ?? 0
  let quoted = false
  for (let cell = 0; cell < index && at < raw.length; at++) {
    if (raw[at] === '"') quoted = !quoted
    else if (raw[at] === delimiter && !quoted) cell++
  }
  return at
}

/** `line:column` of an offset. */
function place(text: string, offset: number): string {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/)
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}
