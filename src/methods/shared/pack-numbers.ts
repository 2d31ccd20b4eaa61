import { UserError } from '../../errors.ts'

/** Rows of 32-bit numbers as base64 of little-endian bytes; lossless. */
export function pack32(rows: readonly ArrayLike<number>[], columns: number): string {
  const data = new Float32Array(rows.length * columns)
  rows.forEach((row, index) => data.set(row, index * columns))
  return Buffer.from(data.buffer).toString('base64')
}

/** The rows of `pack32`. Throws UserError for another number of rows, or a number that is not finite. */
export function unpack32(text: string, rows: number, columns: number, place: string): readonly Float32Array[] {
  const data = new Float32Array(bytesOf(text, rows * columns * 4, place))
  const odd = data.findIndex((value) => !Number.isFinite(value))
  if (odd >= 0)
    throw new UserError(
      `"${place}" holds ${data[odd]} (number ${(odd % columns) + 1} of vector ${Math.floor(odd / columns) + 1}); all numbers must be finite`,
    )
  return Array.from({ length: rows }, (_, row) => data.subarray(row * columns, (row + 1) * columns))
}

/** Checks the length before it allocates; rejects characters that are not base64. */
function bytesOf(text: string, byteCount: number, place: string): ArrayBuffer {
  const bytes = text.length === 4 * Math.ceil(byteCount / 3) ? Buffer.from(text, 'base64') : undefined
  if (bytes?.length !== byteCount)
    throw new UserError(
      `"${place}" must be the base64 of ${byteCount} bytes, which has ${4 * Math.ceil(byteCount / 3)} characters; it has ${text.length}${bytes ? ', some of them not base64' : ''}`,
    )
  // a copy, since numbers must start at a multiple of their size
  return new Uint8Array(bytes).buffer
}

/** Scores with 12 decimals: smaller differences are rounding errors, so that ties go by index. */
export const roundScores = (scores: Float64Array): Float64Array =>
  scores.map((score) => Math.round(score * 1e12) / 1e12)
