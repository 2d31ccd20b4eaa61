import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { messageOf, UserError } from '../../errors.ts'

/** A row by the names of its columns, and the line, from 1, on which it ends. */
export interface CsvRow {
  readonly line: number
  readonly value: Readonly<Record<string, string>>
}

/**
 * The rows of a CSV text whose first row names the columns, one at a time; between cells stands a comma, a semicolon or a tab, whichever the
 * first line has most of. `named` may give a column another name. Throws UserError naming file and line of what is malformed, and of a
 * column that is named twice.
 */
export async function* csvRows(
  file: string,
  text: string,
  named: (name: string) => string = (name) => name,
): AsyncGenerator<CsvRow> {
  const parser = parse({
    bom: true,
    columns: (names: readonly string[]) => columnsOf(file, names, named),
    delimiter: delimiterOf(text),
    info: true,
    skip_empty_lines: true,
  })
  // bit by bit, so that no more rows are in memory than are asked for; a failure of either end surfaces where the rows are read
  pipeline(Readable.from(piecesOf(Buffer.from(text))), parser, () => undefined)
  try {
    for await (const row of parser as AsyncIterable<{ record: Record<string, string>; info: { lines: number } }>)
      yield { line: row.info.lines, value: row.record }
  } catch (error) {
    if (error instanceof UserError) throw error
    const { lines } = error as { readonly lines?: number }
    throw new UserError(`${file}${lines === undefined ? '' : `:${lines}`}: malformed CSV (${messageOf(error)})`, {
      cause: error,
    })
  }
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/** Names without the white space around them; a column without a name is not read. */
function columnsOf(file: string, names: readonly string[], named: (name: string) => string): (string | false)[] {
  const trimmed = names.map((name) => named(name.trim()))
  const twice = trimmed.find((name, index) => name !== '' && trimmed.indexOf(name) < index)
  if (twice !== undefined) throw new UserError(`${file}:1: two columns are named "${twice}"`)
  return trimmed.map((name) => name !== '' && name)
}

function delimiterOf(text: string): string {
  const line = text.slice(0, Math.min(10_000, (text.search(/[\r\n]/) + 1 || 10_001) - 1)).replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((sign) => [sign, line.split(sign).length] as const)
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}
