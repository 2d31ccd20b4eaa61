import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { UserError, messageOf } from '../../errors.ts'
import { nearest } from '../../text/names.ts'
import { verdictIn, verdictWords } from '../../text/verdict.ts'

/** A file that `labelsCsv` wrote, with the verdicts of a person. */
export interface Labels {
  readonly file: string
  readonly scorer: string
  readonly lines: readonly LabelLine[]
  /** Lines that repeat the ids and verdict of an earlier one. */
  readonly repeated: number
}

/** What a person says of an answer; null where nothing was filled in. */
interface LabelLine {
  readonly ids: readonly string[]
  readonly verdict: number | null
}

/** Reads a file of human labels; `rangeFor` gives the range of a scorer by its label. Throws UserError. */
export async function openLabels(
  file: string,
  rangeFor: (scorer: string) => readonly [number, number],
): Promise<Labels> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UserError(`cannot read ${file}: ${messageOf(error)}`, { cause: error })
  })
  return readLabels(file, text, rangeFor)
}

/**
 * Reads verdicts: numbers in the range, or yes, right, no, wrong and so on. Throws UserError naming line and column.
 */
export function readLabels(
  file: string,
  text: string,
  rangeFor: (scorer: string) => readonly [number, number],
): Labels {
  const { columns, records } = csvRecords(file, text)
  for (const column of ['id', 'scorer', 'verdict']) {
    if (columns.includes(column)) continue
    const near = nearest(column, columns)
    throw new UserError(
      `${file}:1: has no column "${column}"${near === undefined ? '' : `; rename "${near}"`} (its columns: ${columns.join(', ')})`,
    )
  }
  const scorer = oneScorer(records)
  if (scorer === undefined)
    throw new UserError(`${file}: has no line below its column names; draw it again with "gembench judge sample"`)
  const range = rangeFor(scorer)
  const seen = new Map<string, { readonly verdict: number | null; readonly record: CsvRecord }>()
  const lines: LabelLine[] = []
  let repeated = 0
  for (const record of records) {
    const line = { ids: idsOf(record), verdict: verdictOf(record, range) }
    const earlier = line.ids.flatMap((id) => seen.get(id) ?? [])
    const other = earlier.find(({ verdict }) => verdict !== line.verdict)
    if (other)
      throw new UserError(
        `${record.placeOf('verdict')}: this answer has another verdict at ${other.record.placeOf('verdict').slice(file.length + 1)}; keep one of the two lines`,
      )
    const ids = line.ids.filter((id) => !seen.has(id))
    for (const id of ids) seen.set(id, { verdict: line.verdict, record })
    if (ids.length > 0) lines.push({ ...line, ids })
    else repeated++
  }
  if (lines.every(({ verdict }) => verdict === null))
    throw new UserError(`${file}: no line has a verdict yet; fill in the column "verdict"`)
  return { file, scorer, lines, repeated }
}

function oneScorer(records: readonly CsvRecord[]): string | undefined {
  const [first, ...others] = records
  const scorer = first?.cells['scorer']
  const other = others.find(({ cells }) => cells['scorer'] !== scorer)
  if (other)
    throw new UserError(
      `${other.placeOf('scorer')}: scorer "${other.cells['scorer'] ?? ''}", but "${scorer ?? ''}" above; check the labels of one scorer at a time`,
    )
  return scorer === undefined ? undefined : withoutApostrophe(scorer)
}

function idsOf(record: CsvRecord): readonly string[] {
  const ids = (record.cells['id'] ?? '').split(/\s+/).filter((id) => id !== '')
  if (ids.length === 0)
    throw new UserError(`${record.placeOf('id')}: the id is missing; restore it, or remove the line`)
  return [...new Set(ids)]
}

function verdictOf(record: CsvRecord, [least, greatest]: readonly [number, number]): number | null {
  const text = record.cells['verdict'] ?? ''
  if (text === '') return null
  const value = verdictIn(text)
  if (value !== undefined && value >= least && value <= greatest) return value
  const near = value === undefined ? nearest(text.toLowerCase(), verdictWords) : undefined
  const hint = near === undefined ? `a number from ${least} to ${greatest}, or yes or no` : `did you mean "${near}"?`
  throw new UserError(
    `${record.placeOf('verdict')}: verdict ${JSON.stringify(text.slice(0, 60))}: ${near === undefined ? `expected ${hint}` : hint}`,
  )
}

/** A line of a CSV file: its cells by column, trimmed, and where one of them stands. */
interface CsvRecord {
  readonly cells: Readonly<Record<string, string>>
  /** `file:line:column`, both counted from 1, in characters. */
  readonly placeOf: (column: string) => string
}

/** Columns and records, parted by what the first line has: `,`, `;` or tabs. Throws UserError naming file and line. */
function csvRecords(file: string, content: string): { columns: readonly string[]; records: readonly CsvRecord[] } {
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

/** `raw`: as it stands in the file, with the blank lines before it. */
const rows = z.array(z.object({ record: z.array(z.string()), raw: z.string() }))

function parsed(file: string, text: string, delimiter: string): z.output<typeof rows> {
  const options = { delimiter, raw: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n', '\r'] }
  try {
    return rows.parse(parse(text, options))
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

function place(text: string, offset: number): string {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/)
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}

/** Text of a cell without the apostrophe that `labelsCsv` put before what looked like a formula. */
const withoutApostrophe = (text: string): string => text.replace(/^'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/, '')
