import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parquetRows } from '../../basics/parquet-rows.ts'
import { UserError, messageOf } from '../../errors.ts'
import { lines } from '../../text/jsonl.ts'
import { describe } from '../../text/shape-faults.ts'

/** A row of a table of a published index; `row` counts from 1. */
export interface TableRow {
  readonly file: string
  readonly row: number
  readonly values: Readonly<Record<string, unknown>>
}

/** The rows of the first file of these names, JSON lines or Parquet. Throws UserError where it cannot be read. */
export async function tableRows(folder: string, names: readonly string[]): Promise<readonly TableRow[]> {
  const file = names
    .flatMap((name) => [join(folder, `${name}.jsonl`), join(folder, `${name}.parquet`)])
    .find((path) => existsSync(path))
  if (file === undefined)
    throw new UserError(`${folder}: contains no table ${names[0] ?? ''} (${names.join(' or ')}, as .jsonl or .parquet)`)
  return file.endsWith('.parquet') ? parquet(file) : jsonLines(file)
}

async function jsonLines(file: string): Promise<readonly TableRow[]> {
  const rows: TableRow[] = []
  for await (const { line, text } of lines(file)) {
    const row = rows.length + 1
    try {
      const values: unknown = JSON.parse(text)
      if (typeof values !== 'object' || values === null || Array.isArray(values)) throw new Error('not an object')
      rows.push({ file, row, values: values as TableRow['values'] })
    } catch (error) {
      throw new UserError(`${file}: row ${row} (line ${line}) cannot be read as JSON: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }
  return rows
}

/** Rows of a published table, which are held in memory together: those of a library of books have a tenth of it. */
const mostRows = 2 ** 22

async function parquet(file: string): Promise<readonly TableRow[]> {
  const rows: TableRow[] = []
  for await (const values of parquetRows(file)) {
    if (rows.length === mostRows) throw new UserError(`${file}: has more than ${mostRows} rows`)
    rows.push({ file, row: rows.length + 1, values })
  }
  return rows
}

/** A column by the names that it has borne, the newest first. */
export type Column = readonly [name: string, ...earlier: string[]]

/** What is wrong with a cell, in one line that names file, row and column. */
export const cellFault = ({ file, row }: TableRow, column: Column, fault: string): UserError =>
  new UserError(`${file}: row ${row}: column "${column[0]}" ${fault}`)

/** The value of a column; undefined where the row has none of its names, or nothing there. */
export function cell({ values }: TableRow, column: Column): unknown {
  const name = column.find((one) => values[one] !== undefined && values[one] !== null)
  return name === undefined ? undefined : plain(values[name])
}

/** A text; `absent` where it is missing, which is an error without it. Throws UserError. */
export function text(row: TableRow, column: Column, absent?: string): string {
  const value = cell(row, column) ?? absent
  if (value === undefined) throw cellFault(row, column, 'is missing')
  if (typeof value !== 'string') throw cellFault(row, column, `is ${describe(value)}, a text is expected`)
  return value
}

/** A finite number; `absent` where it is missing, which is an error without it. Throws UserError. */
export function number(row: TableRow, column: Column, absent?: number): number {
  const value = cell(row, column) ?? absent
  if (value === undefined) throw cellFault(row, column, 'is missing')
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof read !== 'number' || !Number.isFinite(read))
    throw cellFault(row, column, `is ${describe(value)}, a number is expected`)
  return read
}

/** A list; `absent` where it is missing, which is an error without it. Throws UserError. */
export function list(row: TableRow, column: Column, absent?: readonly unknown[]): readonly unknown[] {
  const value = cell(row, column) ?? absent
  if (value === undefined) throw cellFault(row, column, 'is missing')
  if (!Array.isArray(value)) throw cellFault(row, column, `is ${describe(value)}, a list is expected`)
  return value.map(plain)
}

/** An id as it is compared: 7, 7n and "7" are one. */
export const idText = (value: unknown): string => String(plain(value))

const plain = (value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : isNumbers(value) ? [...value] : value

/** Parquet gives a column of lists of numbers as typed arrays. */
const isNumbers = (value: unknown): value is ArrayBufferView & Iterable<number | bigint> => ArrayBuffer.isView(value)
