import { UserError } from '../../errors.ts'

/** Rows of 32-bit numbers as the base64 of their little-endian bytes, exact to the last bit. */
export function packed32(rows: readonly ArrayLike<number>[], columns: number): string {
  const data = new Float32Array(rows.length * columns)
  rows.forEach((row, index) => data.set(row, index * columns))
  return Buffer.from(data.buffer).toString('base64')
}

/** Rows of 64-bit numbers as the base64 of their little-endian bytes. */
export function packed64(rows: readonly ArrayLike<number>[], columns: number): string {
  const data = new Float64Array(rows.length * columns)
  rows.forEach((row, index) => data.set(row, index * columns))
  return Buffer.from(data.buffer).toString('base64')
}

/** The rows that `packed32` wrote. Throws UserError where there are more or fewer, or a number is not finite. */
export const unpacked32 = (text: string, rows: number, columns: number, place: string): readonly Float32Array[] =>
  rowsOf(new Float32Array(bytesOf(text, rows * columns * 4, place)), rows, columns, place)

/** The rows that `packed64` wrote. Throws as `unpacked32` does. */
export const unpacked64 = (text: string, rows: number, columns: number, place: string): readonly Float64Array[] =>
  rowsOf(new Float64Array(bytesOf(text, rows * columns * 8, place)), rows, columns, place)

/** Allocates nothing that the text does not hold; refuses characters that are not base64. */
function bytesOf(text: string, expected: number, place: string): ArrayBuffer {
  const bytes = text.length === 4 * Math.ceil(expected / 3) ? Buffer.from(text, 'base64') : undefined
  if (bytes?.length !== expected)
    throw new UserError(
      `"${place}" must be the base64 of ${expected} bytes, which has ${4 * Math.ceil(expected / 3)} characters; it has ${text.length}${bytes ? ', some of them not base64' : ''}`,
    )
  // a copy, since numbers must start at a multiple of their size
  return new Uint8Array(bytes).buffer
}

function rowsOf<T extends Float32Array | Float64Array>(data: T, rows: number, columns: number, place: string): T[] {
  const odd = data.findIndex((value) => !Number.isFinite(value))
  if (odd >= 0)
    throw new UserError(
      `"${place}" holds ${data[odd]} (number ${(odd % columns) + 1} of vector ${Math.floor(odd / columns) + 1}); all numbers must be finite`,
    )
  return Array.from({ length: rows }, (_, row) => data.subarray(row * columns, (row + 1) * columns) as T)
}

/** Scores to 12 decimals: what differs by less is rounding, and ties go by index (HippoRAG, UnWeaverPPR). */
export const rounded = (scores: Float64Array): Float64Array => scores.map((score) => Math.round(score * 1e12) / 1e12)
