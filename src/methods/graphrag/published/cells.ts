import { UserError } from '../../../errors.ts'
import { describe } from '../../../text/shape-faults.ts'
import type { TableRow } from './table-file.ts'

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
  typeof value === 'bigint' ? Number(value) : ArrayBuffer.isView(value) ? Array.from(value as never) : value
